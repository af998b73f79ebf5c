import { z } from "zod";
import { buildApprovalView } from "@/lib/engine/approvals/approval-view";
import { findGatedTool } from "@/lib/engine/approvals/authority-class";
import { getSchemaAt, listTexts } from "@/lib/engine/approvals/argument-format";
import { describeCall } from "@/lib/engine/approvals/argument-text";
import { listTargets } from "@/lib/engine/approvals/looked-up";
import { getGateClearance } from "@/lib/engine/approvals/policy";
import { getPublishedHere } from "@/lib/engine/frame";
import type { Classification } from "@/lib/graph/label";
import { isJsonObject, ownMember, type JsonObject } from "@/lib/json";
import { placeKey } from "@/lib/leaves";
import { getOpenedValue } from "@/lib/engine/verify/verify";
import { NOTHING_SEALED, placeKey as toPlaceKey } from "@/lib/engine/labels/reading";
import { AppError } from "@/lib/errors";
import { openCells } from "@/server/reading/open-cells";
import { sealedCells } from "@/server/reading/sealed-cells";
import { getApproval } from "@/server/store/approvals/approvals";
import { loadDecidedCalls, type DecidedCall } from "@/server/store/approvals/history";
import { getAuthorNames } from "@/server/store/people/people";
import { createProcedure } from "@/server/trpc/init";
import { replayWhole } from "@/server/web/open-run";
import { getWebVault } from "@/server/web/web-vault";
import { listShownArguments, matchCalls } from "./earlier-calls";
import { sealedTo } from "./sealed";

const MOST_LOOKED_AT = 500;
const MOST_COUNTED = 50;
const MOST_SHOWN = 20;

type Earlier = { readonly call: DecidedCall; readonly args: JsonObject };

/** Reads calls with arguments, if the reader's clearance allows. */
const readCalls = (workspaceId: string, calls: readonly DecidedCall[], clearance: Classification): readonly Earlier[] => {
  const cells = calls.map(({ runId, seq, index, path, label, commitment, sealed, wrappedKey }) => ({
    runId,
    seq,
    index,
    path,
    label,
    commitment,
    sealed,
    wrappedKey,
  }));
  const opened = openCells(getWebVault(), workspaceId, cells, { clearance, sealed: NOTHING_SEALED });

  return calls.flatMap((call, index) => {
    const cell = opened[index];
    const value = cell && getOpenedValue(cell);
    const args = value === undefined ? undefined : ownMember(value, "arguments");

    return isJsonObject(args) ? [{ call, args }] : [];
  });
};

/** The store's list of reviews is only a table: records decide. */
const leaveOutSealed = async (workspaceId: string, earlier: readonly Earlier[]): Promise<readonly Earlier[]> => {
  const kept = await Promise.all(
    earlier.map(async (one) => {
      const sealed = await sealedCells(getWebVault(), workspaceId, one.call.runId, [one.call]);

      return sealed.has(toPlaceKey(one.call)) ? [] : [one];
    }),
  );

  return kept.flat();
};

/** Returns earlier decisions about the same target (same tool and record), else the same arguments, as far as the reader may know them. */
export const approvalsSimilar = createProcedure("approval.read")
  .input(z.strictObject({ approvalId: z.uuid() }))
  .query(async ({ ctx, input }) => {
    const approval = await getApproval(ctx.workspaceId, input.approvalId);
    if (!approval) throw new AppError("not_found");
    const { published, state, records, sealed } = await replayWhole(ctx.workspaceId, approval.runId);
    const gateState = state.gates[approval.id];
    const effect = gateState?.gate.transition.effect;
    if (!gateState) throw new AppError("not_found");
    const clearance = getGateClearance(ctx);
    const view = buildApprovalView(published, state, gateState, clearance, sealedTo(gateState, records, ctx.user.id, sealed));
    const schema = findGatedTool(getPublishedHere(published, state), gateState.gate)?.input_schema ?? {};
    const targets = listTargets(schema, listShownArguments(view));
    const matching = matchCalls(view, targets);
    if (!effect || !matching) return null;
    const decided = await loadDecidedCalls(ctx.workspaceId, effect.server, effect.tool, MOST_LOOKED_AT);
    const others = decided.filter(({ id }) => id !== approval.id);
    const about = readCalls(ctx.workspaceId, others, clearance).filter(({ args }) => matching.isAbout(args));
    const same = await leaveOutSealed(ctx.workspaceId, about.slice(0, MOST_COUNTED));
    const shown = same.slice(0, MOST_SHOWN);

    return {
      targets,
      approved: same.filter(({ call }) => call.status === "approved").length,
      /** Of the approved ones, those of exactly these arguments. */
      alike: same.filter(({ call, args }) => call.status === "approved" && matching.isAlike(args)).length,
      rejected: same.filter(({ call }) => call.status === "rejected").length,
      decisions: shown.map(({ call: { id, runId, graphName, status, resolvedAt, deciders }, args }) => ({
        id,
        runId,
        graphName,
        status,
        resolvedAt,
        deciders,
        summary: describeCall(
          effect.tool,
          schema,
          Object.entries(args).map(([name, value]) => ({
            name,
            value,
            text: listTexts(getSchemaAt(schema, [name]), value)[placeKey([])],
          })),
        ),
      })),
      people: await getAuthorNames(
        ctx.workspaceId,
        shown.flatMap(({ call }) => call.deciders),
      ),
    };
  });
