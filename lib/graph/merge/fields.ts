import type { GraphNode } from "@/lib/graph/document";
import { NODE_KINDS } from "@/lib/graph/kinds";
import { mergeOrder, type Side } from "./order";
import { same } from "./same";

/** Absent parts have no entry. */
export type Fields = ReadonlyMap<string, unknown>;

const CONFIG = "config.";
const KIND = "kind";

export const toFields = (item: object): Fields => new Map(Object.entries(item).filter(([, value]) => value !== undefined));

/** Reverses `toFields`. */
export const fromFields = (fields: Fields): object => Object.fromEntries(fields);

/** A mixture may break a rule across fields. */
const isWhole = (node: GraphNode): boolean => (NODE_KINDS[node.kind].config.def.checks?.length ?? 0) > 0;

/** Lists each version's fields; configurations split only within one kind. */
export const listNodeFields = (nodes: readonly GraphNode[]): Fields[] => {
  const isOneKind = new Set(nodes.map((node) => node.kind)).size === 1 && !nodes.some(isWhole);

  return nodes.map((node) => {
    const { config, kind, ...rest } = node;
    const parts = isOneKind
      ? [[KIND, kind], ...[...toFields(config)].map(([name, value]) => [`${CONFIG}${name}`, value] as const)]
      : [[KIND, { kind, config }]];

    return new Map([...toFields(rest), ...new Map(parts as [string, unknown][])]);
  });
};

/** Reverses `listNodeFields`, for any mixture. */
export const findNode = (fields: Fields): object => {
  const kind = fields.get(KIND);
  if (typeof kind === "object" && kind !== null) return { ...fromFields(fields), ...kind };
  const [rest, config] = [new Map<string, unknown>(), new Map<string, unknown>()];
  for (const [name, value] of fields) {
    if (name.startsWith(CONFIG)) config.set(name.slice(CONFIG.length), value);
    else rest.set(name, value);
  }

  return { ...fromFields(rest), config: fromFields(config) };
};

const namesIn = (value: unknown): readonly string[] | null =>
  Array.isArray(value) && value.every((item) => typeof item === "string") && new Set(value).size === value.length ? value : null;

/** Null if ambiguous. */
const mergeNames = (base: unknown, mine: unknown, theirs: unknown): readonly string[] | null => {
  const [before, own, other] = [namesIn(base), namesIn(mine), namesIn(theirs)];
  if (!before || !own || !other) return null;
  const known = new Set(before);
  const [inOwn, inOther] = [new Set(own), new Set(other)];
  const kept = new Set([...inOwn, ...inOther].filter((name) => (known.has(name) ? inOwn.has(name) && inOther.has(name) : true)));
  // A list that neither side emptied may be required.
  if (kept.size === 0 && own.length > 0 && other.length > 0) return null;
  const { ids, isContested } = mergeOrder([before, own, other], kept, "mine");

  return isContested ? null : ids;
};

/** Merges one value; lists of names by name. @param choice asked when both changed it */
export const mergeValue = (base: unknown, mine: unknown, theirs: unknown, choice: () => Side): unknown => {
  if (same(mine, theirs) || same(base, theirs)) return mine;
  if (same(base, mine)) return theirs;

  return mergeNames(base, mine, theirs) ?? (choice() === "mine" ? mine : theirs);
};
