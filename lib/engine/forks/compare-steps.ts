import { align } from "@/lib/engine/forks/align";
import { trackPlaces, type Place } from "@/lib/engine/frame";
import type { LedgerEntry } from "@/lib/engine/timeline";
import { toCanonicalJson } from "@/lib/json";
import type { RefusalCode } from "@/lib/refusal";

export type ComparedStep = {
  readonly seq: number;
  readonly node: string | null;
  readonly places: readonly Place[];
  readonly proposalKind: string;
  readonly refusal: RefusalCode | null;
  readonly paths: readonly string[];
};

export type StepPair = {
  readonly a: ComparedStep | null;
  readonly b: ComparedStep | null;
  /** As far as the reader may see. */
  readonly changed: readonly string[];
};

const MOST_STEPS = 500;

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gu;
const withoutIds = (text: string): string => text.replaceAll(UUID, "#");

/** A fork's first record has no counterpart. */
export const isCompared = ({ signed: { record } }: LedgerEntry): boolean => record.seq === 0 || record.proposal_kind !== "fork";

const stepsOf = (entries: readonly LedgerEntry[]): readonly ComparedStep[] => {
  let places: readonly Place[] = [];

  return entries.map(({ signed: { record } }) => {
    const before = places;
    places = record.control.reduce(trackPlaces, before);
    const { seq, node, proposal_kind: proposalKind, refusal, writes } = record;

    return { seq, node, places: before, proposalKind, refusal: refusal?.code ?? null, paths: writes.map((write) => write.path) };
  });
};

const doneIn = ({ seq, node, places, proposalKind, refusal, paths }: ComparedStep): string =>
  withoutIds(toCanonicalJson([seq === 0 ? "start" : proposalKind, node, places.map((place) => place.node), refusal, [...paths]]));

const textsOf = ({ values }: LedgerEntry, count: number): readonly (string | null)[] =>
  Array.from({ length: count }, (_, index) => {
    const value = values[index];

    return value === undefined ? null : withoutIds(toCanonicalJson(value));
  });

const changedIn = (a: LedgerEntry, b: LedgerEntry, { paths }: ComparedStep): readonly string[] => {
  const [left, right] = [textsOf(a, paths.length), textsOf(b, paths.length)];

  return paths.filter((_path, index) => left[index] !== null && (right[index] ?? null) !== null && left[index] !== right[index]);
};

export const alignSteps = (
  allA: readonly LedgerEntry[],
  allB: readonly LedgerEntry[],
): { readonly steps: readonly StepPair[]; readonly more: number } => {
  const shown = (all: readonly LedgerEntry[]) => {
    const steps = stepsOf(all);

    return all.flatMap((entry, at) => {
      const step = steps[at];

      return step && isCompared(entry) ? [{ entry, step }] : [];
    });
  };
  const [left, right] = [shown(allA), shown(allB)];
  const doneBy = (side: typeof left) => side.map(({ step }) => doneIn(step));
  const pairs = align(doneBy(left), doneBy(right)).map(({ a, b }): StepPair => {
    const [one, other] = [a === null ? undefined : left[a], b === null ? undefined : right[b]];

    return { a: one?.step ?? null, b: other?.step ?? null, changed: one && other ? changedIn(one.entry, other.entry, one.step) : [] };
  });
  const first = pairs.findIndex((pair) => pair.a === null || pair.b === null || pair.changed.length > 0);
  const from = first < 0 ? [] : pairs.slice(first);

  return { steps: from.slice(0, MOST_STEPS), more: Math.max(0, from.length - MOST_STEPS) };
};
