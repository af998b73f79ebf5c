import { z } from "zod";
import { getPublishedHere } from "@/lib/engine/frame";
import { traceOrigins } from "@/lib/engine/labels/origins";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { findAside, findCellsAt, type GateState, type RunState } from "@/lib/engine/state";
import { stateAt } from "@/lib/engine/timeline";
import { AppError } from "@/lib/errors";
import { getApproval } from "@/server/store/approvals/approvals";
import { createProcedure } from "@/server/trpc/init";
import { replayRun } from "@/server/web/open-run";
import { getQuestionPath } from "@/lib/engine/approvals/pending-question";
import { findGatedTool } from "@/lib/engine/approvals/authority-class";
import { buildApprovalMap } from "./approval-map";

const cellsBehind = (state: RunState, { gate }: GateState) => {
  const named = [...gate.transition.reads, ...gate.transition.overwrites, ...gate.review_keys.map((path) => ({ path }))];
  const memory = [
    ...new Map(named.flatMap(({ path }) => findCellsAt(state.cells, path)).map((cell) => [`${cell.seq}.${cell.index}`, cell])).values(),
  ];

  return [...memory, ...[`$pending.${gate.id}`, getQuestionPath(gate.id)].flatMap((path) => findAside(state, path).slice(-1))];
};

const restsOn = (opened: LedgerRecord, cells: readonly { readonly seq: number }[]): ReadonlySet<number> =>
  new Set([opened.seq, ...opened.reads.map(({ seq }) => seq), ...cells.map(({ seq }) => seq)]);

/** Returns an approval's immutable context, without values. */
export const approvalsAround = createProcedure("approval.read")
  .input(z.strictObject({ approvalId: z.uuid() }))
  .query(async ({ ctx, input }) => {
    const approval = await getApproval(ctx.workspaceId, input.approvalId);
    if (!approval) throw new AppError("not_found");
    const { published, records } = await replayRun(ctx.workspaceId, approval.runId, "public");
    const opened = records.find(({ record }) =>
      record.control.some((event) => event.type === "gate_opened" && event.gate.id === approval.id),
    );
    const entries = records.map((signed) => ({ signed, values: [] }));
    const then = opened && stateAt(entries, opened.record.seq);
    const gateState = then?.gates[approval.id];
    if (!opened || !then || !gateState) throw new AppError("not_found");
    const before = records.filter(({ record }) => record.seq <= opened.record.seq).map(({ record }) => record);
    const cells = cellsBehind(then, gateState);
    const here = getPublishedHere(published, then);
    const sources = [...new Set(cells.flatMap(({ label }) => label.provenance))];

    return {
      map: buildApprovalMap(here.graph, before, gateState.gate.node),
      within: then.frames.map(({ node }) => node),
      origins: traceOrigins(before, restsOn(opened.record, cells), sources),
      schema: findGatedTool(here, gateState.gate)?.input_schema ?? null,
      cells: cells.map(({ path, seq, index, commitment }) => ({ path, seq, index, commitment })),
    };
  });
