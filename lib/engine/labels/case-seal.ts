/** Hides cells under review, with sources and copies. */
import type { PublishedGraph } from "@/lib/graph/document";
import { opensCase } from "@/lib/graph/kind-of";
import type { Json } from "@/lib/json";
import { isTerminal } from "@/lib/engine/event";
import { getPublishedHere } from "@/lib/engine/frame";
import { placeKey, type CellPlace, type Sealed } from "@/lib/engine/labels/reading";
import { createRepeatDetector } from "@/lib/engine/ledger/shared-text";
import { findCellsAt, type CaseState, type RunState } from "@/lib/engine/state";
import type { LedgerEntry } from "@/lib/engine/timeline";

/** Forks share cells, so each names its run. */
export type Cover = {
  readonly cells: readonly string[];
  readonly visits: readonly number[];
  readonly since: number;
};

const coverKey = (run: string, place: CellPlace): string => `${run}/${placeKey(place)}`;

/** Cases about calls cover nothing: reviewers see the arguments. */
const openCases = (state: RunState): readonly CaseState[] =>
  isTerminal(state.status)
    ? []
    : Object.values(state.cases).filter(({ status, case: { subject } }) => status === "open" && subject.type === "cell");

const subjectPlaces = (entries: readonly LedgerEntry[], { case: { subject } }: CaseState): readonly CellPlace[] =>
  subject.type !== "cell"
    ? []
    : subject.cells.flatMap(({ seq, commitment }) =>
        (entries[seq]?.signed.record.writes ?? []).flatMap((write, index) => (write.commitment === commitment ? [{ seq, index }] : [])),
      );

const sourcePlaces = (root: PublishedGraph, state: RunState, { case: { node: id } }: CaseState): readonly CellPlace[] => {
  const node = getPublishedHere(root, state).graph.nodes.find((candidate) => candidate.id === id);
  const from = opensCase(node) ? node.config.source : undefined;

  return from === undefined ? [] : findCellsAt(state.cells, from);
};

/**
 * Returns the coverage of open cases, or null.
 * @param state after the last of `entries`
 */
export const getCover = (root: PublishedGraph, state: RunState, entries: readonly LedgerEntry[]): Cover | null => {
  const open = openCases(state);
  if (open.length === 0) return null;
  const places = open.flatMap((found) => [...subjectPlaces(entries, found), ...sourcePlaces(root, state, found)]);
  const keys = places.map((place) => coverKey(entries[place.seq]?.signed.record.run ?? "", place));

  return {
    cells: [...new Set(keys)],
    visits: [...new Set(open.map((found) => found.case.activation))],
    since: Math.min(...open.map(({ seq }) => seq)),
  };
};

const visitsOf = (entries: readonly LedgerEntry[]): readonly (number | null)[] => {
  let visit: number | null = null;

  return entries.map(({ signed: { record } }, seq) => {
    const during = visit;
    if (record.control.some(({ type }) => type === "node_entered")) visit = seq;

    return during;
  });
};

type Written = CellPlace & {
  readonly path: string;
  readonly isTrusted: boolean;
  readonly visit: number | null;
  readonly value: Json | undefined;
};

const writtenIn = (entries: readonly LedgerEntry[]): readonly Written[] => {
  const visits = visitsOf(entries);

  return entries.flatMap(({ signed: { record }, values }, seq) =>
    record.writes.map(({ path, label }, index) => ({
      seq,
      index,
      path,
      isTrusted: label.integrity === "trusted",
      visit: visits[seq] ?? null,
      value: values[index],
    })),
  );
};

/**
 * Returns the sealed cells with copies.
 * @param covers of all runs that share records
 */
export const sealedBy = (entries: readonly LedgerEntry[], own: Cover | null, others: readonly Cover[] = []): Sealed => {
  const covered = new Set([...(own ? [own] : []), ...others].flatMap(({ cells }) => cells));
  if (covered.size === 0) return new Set();
  const written = writtenIn(entries);
  const isCovered = (cell: Written) => covered.has(coverKey(entries[cell.seq]?.signed.record.run ?? "", cell));
  const base = written.filter(isCovered);
  const visits = new Set([...base.map(({ visit }) => visit), ...(own?.visits ?? [])]);
  const since = own?.since ?? Number.POSITIVE_INFINITY;
  const repeatsBase = createRepeatDetector(base.flatMap(({ value }) => (value === undefined ? [] : [value])));
  const isWorking = ({ path, visit, isTrusted }: Written) => !isTrusted && path.startsWith("$") && visit !== null && visits.has(visit);
  const isCopy = ({ value, isTrusted, seq }: Written) => (!isTrusted || seq >= since) && value !== undefined && repeatsBase(value);

  return new Set(written.filter((cell) => isCovered(cell) || isWorking(cell) || isCopy(cell)).map(placeKey));
};
