import type { Integrity } from "@/lib/graph/label";
import { joinLabels } from "@/lib/graph/label";
import { listDependencies } from "@/lib/engine/labels/blame";
import type { LedgerRecord } from "@/lib/engine/ledger/record";

export type Origin = {
  readonly records: readonly number[];
  readonly more: number;
  readonly integrity: Integrity;
};

const MOST_NAMED = 3;
const MOST_REACHED = 2_000;

const reachedFrom = (records: readonly LedgerRecord[], from: Iterable<number>): readonly LedgerRecord[] => {
  const bySeq = new Map(records.map((record) => [record.seq, record]));
  const reached = new Set(from);
  // Sets iterate over additions too.
  for (const seq of reached) {
    const record = bySeq.get(seq);
    if (!record || reached.size > MOST_REACHED) continue;
    for (const step of listDependencies(records, record)) reached.add(step.seq);
  }

  return [...reached].toSorted((a, b) => b - a).flatMap((seq) => bySeq.get(seq) ?? []);
};

const TOOL = /^mcp:(?<server>[^/]+)\/(?<tool>.+)$/u;

const callsOf = (records: readonly LedgerRecord[], server: string, tool: string): ReadonlySet<string> =>
  new Set(
    records.flatMap(({ control }) =>
      control.flatMap((event) =>
        event.type === "effect_intended" && event.effect.server === server && event.effect.tool === tool ? [event.effect_id] : [],
      ),
    ),
  );

const isQuestionOf = (event: LedgerRecord["control"][number], server: string, tool: string): boolean =>
  event.type === "gate_opened" &&
  event.gate.reason === "tool_input" &&
  event.gate.transition.effect?.server === server &&
  event.gate.transition.effect.tool === tool;

const labelOf = ({ writes }: LedgerRecord) => joinLabels(writes.map(({ label }) => label));

const broughtBy = (records: readonly LedgerRecord[], reached: readonly LedgerRecord[], source: string): readonly LedgerRecord[] => {
  const { server, tool } = TOOL.exec(source)?.groups ?? {};
  if (server !== undefined && tool !== undefined) {
    const calls = callsOf(records, server, tool);

    return reached.filter(({ control }) =>
      control.some((event) => (event.type === "effect_settled" ? calls.has(event.effect_id) : isQuestionOf(event, server, tool))),
    );
  }
  const first = reached.findLast((record) => labelOf(record).provenance.includes(source));

  return first ? [first] : [];
};

/**
 * Traces sources to records.
 * @param records oldest first
 */
export const traceOrigins = (
  records: readonly LedgerRecord[],
  from: Iterable<number>,
  sources: readonly string[],
): Readonly<Record<string, Origin>> => {
  const reached = reachedFrom(records, from);

  return Object.fromEntries(
    [...new Set(sources)].flatMap((source): [string, Origin][] => {
      const brought = broughtBy(records, reached, source);
      if (brought.length === 0) return [];
      const named = brought.slice(0, MOST_NAMED).map(({ seq }) => seq);
      const { integrity } = joinLabels(brought.map(labelOf));

      return [[source, { records: named, more: brought.length - named.length, integrity }]];
    }),
  );
};
