import { isGranted, parsePath } from "@/lib/graph/path";

export type Measure =
  /** More items: more authority. */
  | { readonly type: "may"; readonly items: readonly string[] }
  /** Memory paths with everything below. */
  | { readonly type: "grants"; readonly items: readonly string[] }
  /** Higher is more authority; null is unlimited. */
  | { readonly type: "most"; readonly value: number | null }
  /** Guard: lower is more authority. */
  | { readonly type: "least"; readonly value: number }
  /** Guards: a missing item is more authority. */
  | { readonly type: "must"; readonly items: readonly string[] }
  /** Any difference counts as more authority. */
  | { readonly type: "is"; readonly text: string };

export type SubjectType = "graph" | "node" | "key" | "agent" | "tool";

/** `inside`: subgraph id; empty for the graph itself. */
export type Subject = { readonly inside: string; readonly type: SubjectType; readonly id: string };

export type Right = { readonly subject: Subject; readonly name: string; readonly facet: Facet; readonly measure: Measure };

/** `guard`: an architect may never weaken it. */
export const FACETS = {
  works: "grant",
  reads: "grant",
  writes: "grant",
  calls: "grant",
  tells: "grant",
  speaks: "grant",
  chooses: "grant",
  computes: "grant",
  promotes: "grant",
  recalls: "grant",
  keeps: "grant",
  hears: "grant",
  reached: "grant",
  decided: "grant",
  launch: "grant",
  triggers: "grant",
  outside_reads: "grant",
  outside_gives: "grant",
  outside_waits: "grant",
  outside_shown: "guard",
  steps: "grant",
  time: "grant",
  tokens: "grant",
  money: "grant",
  attempts: "grant",
  attempt_time: "grant",
  rounds: "grant",
  items: "grant",
  together: "grant",
  size: "grant",
  depth: "grant",
  form: "grant",
  rule: "grant",
  effect: "guard",
  gates: "guard",
  quorum: "guard",
  shown: "guard",
  exactly: "guard",
  signed: "guard",
  passkey_for: "guard",
  asks: "guard",
  trusted: "guard",
  decider: "guard",
  approvers: "guard",
  protected: "guard",
  integrity: "guard",
  class: "guard",
  strict_taint: "guard",
  isolate_untrusted: "guard",
  verification: "guard",
  verdicts: "guard",
} as const satisfies Record<string, "grant" | "guard">;

export type Facet = keyof typeof FACETS;

export type Difference = { readonly wider: readonly string[]; readonly narrower: readonly string[]; readonly isWider: boolean };

const NONE: readonly string[] = [];
const without = (items: readonly string[], others: readonly string[]): string[] => {
  const known = new Set(others);

  return items.filter((item) => !known.has(item));
};

const uncovered = (items: readonly string[], by: readonly string[]): string[] =>
  items.filter((item) => (item === "*" ? !by.includes("*") : !isGranted(by, parsePath(item) ?? [])));

const amount = (value: number | null): string => (value === null ? "no limit" : value.toLocaleString("en-US"));

const difference = (wider: readonly string[], narrower: readonly string[]): Difference => ({ wider, narrower, isWider: wider.length > 0 });

/** Compares measures of one facet; other types count as wider. */
export const compareMeasures = (before: Measure, after: Measure): Difference => {
  if (before.type === "may" && after.type === "may") {
    return difference(without(after.items, before.items), without(before.items, after.items));
  }
  if (before.type === "grants" && after.type === "grants") {
    return difference(uncovered(after.items, before.items), uncovered(before.items, after.items));
  }
  if (before.type === "must" && after.type === "must") {
    return difference(without(before.items, after.items), without(after.items, before.items));
  }
  if (before.type === "most" && after.type === "most") {
    if (before.value === after.value) return difference(NONE, NONE);
    const said = [amount(before.value), amount(after.value)];
    const isMore = before.value !== null && (after.value === null || after.value > before.value);

    return isMore ? difference(said, NONE) : difference(NONE, said);
  }
  if (before.type === "least" && after.type === "least") {
    if (before.value === after.value) return difference(NONE, NONE);
    const said = [amount(before.value), amount(after.value)];

    return after.value < before.value ? difference(said, NONE) : difference(NONE, said);
  }
  if (before.type === "is" && after.type === "is" && before.text === after.text) return difference(NONE, NONE);

  return difference([""], NONE);
};

export const listGranted = (measure: Measure): readonly string[] =>
  measure.type === "may" || measure.type === "grants" ? measure.items : NONE;

export const subjectKey = ({ inside, type, id }: Subject): string => `${inside}/${type}/${id}`;
