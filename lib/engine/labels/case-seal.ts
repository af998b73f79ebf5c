/**
 * What open review cases keep from readers: the cells that a case is about, those that its node names as their source, and the
 * copies of them in the same ledger. Computed from the records and the values, so it holds for every reader alike.
 */
import type { PublishedGraph } from "@/lib/graph/document";
import type { Json } from "@/lib/json";
import { isTerminal } from "@/lib/engine/event";
import { publishedHere } from "@/lib/engine/frame";
import { placeKey, type CellPlace, type Sealed } from "@/lib/engine/labels/reading";
import { repeats } from "@/lib/engine/ledger/shared-text";
import { cellsAt, type CaseState, type RunState } from "@/lib/engine/state";
import type { LedgerEntry } from "@/lib/engine/timeline";

/** What the open cases of one run cover. Of a fork's ledger, cells can be another run's: each is named with the run that wrote it. */
export type Cover = {
  /** By `coverKey`. */
  readonly cells: readonly string[];
  /** The visits in which the cases are heard, by the record that entered their node. */
  readonly visits: readonly number[];
  /** The record that opened the first of the cases. */
  readonly since: number;
};

const coverKey = (run: string, place: CellPlace): string => `${run}/${placeKey(place)}`;

/** A case about a call covers no cell: its arguments are what its reviewers decide about. */
const openCases = (state: RunState): readonly CaseState[] =>
  isTerminal(state.status)
    ? []
    : Object.values(state.cases).filter(({ status, case: { subject } }) => status === "open" && subject.type === "cell");

/** The frozen cells of the subject: by record and commitment, wherever they stand now. */
const subjectPlaces = (entries: readonly LedgerEntry[], { case: { subject } }: CaseState): readonly CellPlace[] =>
  subject.type !== "cell"
    ? []
    : subject.cells.flatMap(({ seq, commitment }) =>
        (entries[seq]?.signed.record.writes ?? []).flatMap((write, index) => (write.commitment === commitment ? [{ seq, index }] : [])),
      );

const sourcePlaces = (root: PublishedGraph, state: RunState, { case: { node: id } }: CaseState): readonly CellPlace[] => {
  const node = publishedHere(root, state).graph.nodes.find((candidate) => candidate.id === id);
  const from = node?.kind === "review" ? node.config.source : undefined;

  return from === undefined ? [] : cellsAt(state.cells, from);
};

/**
 * What the open cases of a run cover; null: none is open.
 * @param root what the run executes as a whole
 * @param state after the last of `entries`
 */
export const coverOf = (root: PublishedGraph, state: RunState, entries: readonly LedgerEntry[]): Cover | null => {
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

/** For each record, the record that entered the node in whose visit it was written. */
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
 * The cells of a ledger that are kept from readers while cases are open. Besides those that are covered:
 * the engine's own untrusted cells (`$…`) of the visits that wrote them and of the cases' own, and every cell that repeats a covered
 * value. What is trusted and older than the cases is none of these: nothing untrusted went into it.
 * @param entries with every value
 * @param covers of this run, and of runs that share records with it
 */
export const sealedBy = (entries: readonly LedgerEntry[], own: Cover | null, others: readonly Cover[] = []): Sealed => {
  const covered = new Set([...(own ? [own] : []), ...others].flatMap(({ cells }) => cells));
  if (covered.size === 0) return new Set();
  const written = writtenIn(entries);
  const isCovered = (cell: Written) => covered.has(coverKey(entries[cell.seq]?.signed.record.run ?? "", cell));
  const base = written.filter(isCovered);
  const visits = new Set([...base.map(({ visit }) => visit), ...(own?.visits ?? [])]);
  const since = own?.since ?? Number.POSITIVE_INFINITY;
  const repeatsBase = repeats(base.flatMap(({ value }) => (value === undefined ? [] : [value])));
  const isWorking = ({ path, visit, isTrusted }: Written) => !isTrusted && path.startsWith("$") && visit !== null && visits.has(visit);
  const isCopy = ({ value, isTrusted, seq }: Written) => (!isTrusted || seq >= since) && value !== undefined && repeatsBase(value);

  return new Set(written.filter((cell) => isCovered(cell) || isWorking(cell) || isCopy(cell)).map(placeKey));
};
