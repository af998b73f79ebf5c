/** Changes between findings; unchanged entries keep identity. */
import type { Findings } from "@/lib/graph/findings";

/** Index in the previous list, or a new entry. */
type Entry<T> = number | T;

export type FindingsChange = {
  readonly [K in keyof Findings]: Findings[K] extends readonly (infer T)[] ? readonly Entry<T>[] : Findings[K] | null;
};

const listChange = <T extends object>(before: readonly T[], next: readonly T[]): readonly Entry<T>[] => {
  const places = new Map(before.map((item, index) => [JSON.stringify(item), index]));

  return next.map((item) => places.get(JSON.stringify(item)) ?? item);
};

const withList = <T extends object>(before: readonly T[], change: readonly Entry<T>[]): readonly T[] => {
  const isSame = change.length === before.length && change.every((entry, index) => entry === index);
  if (isSame) return before;

  return change.flatMap((entry) => (typeof entry === "number" ? (before[entry] ?? []) : [entry]));
};

const isSameMap = <K, V>(before: ReadonlyMap<K, V>, next: ReadonlyMap<K, V>): boolean =>
  before.size === next.size && [...next].every(([key, value]) => before.get(key) === value);

export const changeOf = (before: Findings, next: Findings): FindingsChange => ({
  problems: listChange(before.problems, next.problems),
  flows: listChange(before.flows, next.flows),
  zones: isSameMap(before.zones, next.zones) ? null : next.zones,
});

/** Applies a change to its original findings. */
export const withChange = (before: Findings, change: FindingsChange): Findings => {
  const problems = withList(before.problems, change.problems);
  const flows = withList(before.flows, change.flows);
  const zones = change.zones ?? before.zones;
  const isSame = problems === before.problems && flows === before.flows && zones === before.zones;

  return isSame ? before : { problems, flows, zones };
};
