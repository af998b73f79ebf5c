/** Where the sources of a label come into a run: for each of them, the records that brought something of it in. No value is looked at. */
import type { Integrity } from "@/lib/graph/label";
import { joinLabels } from "@/lib/graph/label";
import { dependenciesOf } from "@/lib/engine/labels/blame";
import type { LedgerRecord } from "@/lib/engine/ledger/record";

export type Origin = {
  /** Newest first, at most `MOST_NAMED`. */
  readonly records: readonly number[];
  /** How many further records there are. */
  readonly more: number;
  /** Of what they brought in. */
  readonly integrity: Integrity;
};

const MOST_NAMED = 3;
/** A slice that reaches further back than this many records says where it has come to. */
const MOST_REACHED = 2_000;

/** Every record that the given ones depend on, themselves included. */
const reachedFrom = (records: readonly LedgerRecord[], from: Iterable<number>): readonly LedgerRecord[] => {
  const bySeq = new Map(records.map((record) => [record.seq, record]));
  const reached = new Set(from);
  // A Set is iterated in insertion order and sees what is added on the way: this is the work list.
  for (const seq of reached) {
    const record = bySeq.get(seq);
    if (!record || reached.size > MOST_REACHED) continue;
    for (const step of dependenciesOf(records, record)) reached.add(step.seq);
  }

  return [...reached].toSorted((a, b) => b - a).flatMap((seq) => bySeq.get(seq) ?? []);
};

const TOOL = /^mcp:(?<server>[^/]+)\/(?<tool>.+)$/u;

/** The calls of one tool, by the ids of their effects. */
const callsOf = (records: readonly LedgerRecord[], server: string, tool: string): ReadonlySet<string> =>
  new Set(
    records.flatMap(({ control }) =>
      control.flatMap((event) =>
        event.type === "effect_intended" && event.effect.server === server && event.effect.tool === tool ? [event.effect_id] : [],
      ),
    ),
  );

/** A tool that asks a person for something brings in its words before it has answered. */
const isQuestionOf = (event: LedgerRecord["control"][number], server: string, tool: string): boolean =>
  event.type === "gate_opened" &&
  event.gate.reason === "tool_input" &&
  event.gate.transition.effect?.server === server &&
  event.gate.transition.effect.tool === tool;

const labelOf = ({ writes }: LedgerRecord) => joinLabels(writes.map(({ label }) => label));

/** A tool brings something in with each of its answers; anybody else where they are first named. */
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
 * @param records of the run, oldest first
 * @param from the records that what is asked about rests on
 * @param sources as they stand in labels
 * @returns nothing for a source that no record on the way names
 */
export const originsOf = (
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
