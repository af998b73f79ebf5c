import { REFUSALS } from "@/lib/refusal";
import type { RunStatus } from "@/lib/engine/event";
import type { SignedRecord } from "@/lib/engine/ledger/record";
import type { RunState } from "@/lib/engine/state";
import { buildWorkflowState, findLastError } from "@/lib/engine/workflow-state";
import type { PublishedGraph } from "@/lib/graph/document";
import type { Verification } from "@/lib/engine/verify/verify";

type Entry = SignedRecord["record"]["control"][number];

const eventsOf = (records: readonly SignedRecord[]): readonly Entry[] => records.flatMap(({ record }) => record.control);

const codeOf = ({ record }: SignedRecord): string | null => {
  const failed = record.control.find((event) => event.type === "attempt_failed");

  return record.refusal?.code ?? (failed?.type === "attempt_failed" ? failed.code : null);
};

const usageOf = (events: readonly Entry[]) =>
  events.reduce(
    (sum, event) =>
      event.type === "model_called"
        ? {
            input_tokens: sum.input_tokens + event.usage.input_tokens,
            output_tokens: sum.output_tokens + event.usage.output_tokens,
            total_tokens: sum.total_tokens + event.usage.input_tokens + event.usage.output_tokens,
            model_calls: sum.model_calls + 1,
          }
        : sum,
    { input_tokens: 0, output_tokens: 0, total_tokens: 0, model_calls: 0 },
  );

/** Also while inside a subgraph. */
const ownCells = (state: RunState): RunState["cells"] => state.frames[0]?.outer.cells ?? state.cells;

export const runReport = (published: PublishedGraph, state: RunState, records: readonly SignedRecord[], verified: Verification) => {
  const workflow = buildWorkflowState(
    published,
    records.map(({ record }) => record),
    state,
    0,
  );
  const events = eventsOf(records);
  const error = state.status === "completed" ? null : findLastError(state);
  const cells = ownCells(state);

  return {
    status: workflow.status,
    run_id: workflow.run_id,
    memory: workflow.memory,
    labels: Object.fromEntries(cells.map((cell) => [cell.path, cell.label])),
    visited_nodes: workflow.visited_nodes,
    records: records.map((signed) => {
      const code = codeOf(signed);

      return {
        seq: signed.record.seq,
        kind: signed.record.kind,
        node: signed.record.node,
        ...(code === null ? {} : { code }),
        digest: signed.digest,
      };
    }),
    refusals: records.flatMap(({ record }) =>
      record.refusal ? [{ code: record.refusal.code, node: record.node, message: REFUSALS[record.refusal.code].message }] : [],
    ),
    usage: usageOf(events),
    cost_usd: workflow.total_cost_usd,
    verify: verified.ok
      ? { ok: true, records: verified.records, problems: [] }
      : { ok: false, records: records.length, problems: [{ seq: verified.seq, reason: verified.reason }] },
    ...(error === null ? {} : { error }),
  };
};

/** Returns 0 for completed, 2 for failed, 3 for waiting. */
export const exitCodeOf = (status: RunStatus): number => {
  if (status === "completed") return 0;

  return status === "waiting" ? 3 : 2;
};
