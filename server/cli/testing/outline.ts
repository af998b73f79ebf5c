import type { LedgerRecord } from "@/lib/engine/ledger/record";

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

const outlineOf = (record: LedgerRecord) => ({
  kind: record.kind,
  node: record.node,
  proposal: record.proposal_kind,
  writes: record.writes.map(({ path }) => path.replaceAll(UUID, "*")),
  control: record.control.map((event) => event.type),
  code: record.refusal?.code ?? null,
});

type Outline = ReturnType<typeof outlineOf>;

const textOf = (outline: Outline): string => JSON.stringify(outline);

/** Outlines visits without ids, times, values. @param unordered nodes with sorted records */
export const listOutlines = (records: readonly LedgerRecord[], unordered: readonly string[]): readonly string[] => {
  const visits: Outline[][] = [[]];
  for (const record of records) {
    visits.at(-1)?.push(outlineOf(record));
    if (record.control.some((event) => event.type === "node_entered")) visits.push([]);
  }

  return visits.flatMap((visit) => {
    const texts = visit.map(textOf);
    const last = texts.at(-1);

    // The record that leaves a visit is always last.
    return unordered.includes(visit[0]?.node ?? "") && last !== undefined ? [...texts.slice(0, -1).toSorted(), last] : texts;
  });
};
