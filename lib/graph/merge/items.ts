import { mergeValue, type Fields } from "./fields";
import { mergeOrder, getOtherSide, type Side } from "./order";
import { same } from "./same";

export type Versions<T> = { readonly base: T; readonly mine: T; readonly theirs: T };

export type Question = {
  readonly on: "node" | "edge" | "key" | "settings" | "ways" | "document";
  /** Id of a node or edge, memory key, or an edge's source; "" for the graph. */
  readonly subject: string;
  /** Null: existence. */
  readonly field: string | null;
  /** Undefined: absent. */
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
  readonly namedBy: readonly string[];
};

/** Records a conflict. @returns the winning side */
export type Ask = (question: Question) => Side;

/** Duplicate ids must survive for the validator to report. */
const byId = <T>(items: readonly T[], idOf: (item: T) => string): ReadonlyMap<string, T> => {
  const found = new Map<string, T>();
  const counts = new Map<string, number>();
  for (const item of items) {
    const id = idOf(item);
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    // No id has a `#`.
    found.set(count === 1 ? id : `${id}#${count}`, item);
  }

  return found;
};

/** Merges fields; my position wins. */
export const mergeFields = ({ base, mine, theirs }: Versions<Fields>, ask: (field: string, values: Versions<unknown>) => Side): Fields => {
  const names = new Set([...mine.keys(), ...theirs.keys()]);
  const decided = [...names].map((name) => {
    const values = { base: base.get(name), mine: mine.get(name), theirs: theirs.get(name) };
    const choice = () => (name === "position" ? "mine" : ask(name, values));

    return [name, mergeValue(values.base, values.mine, values.theirs, choice)] as const;
  });

  return new Map(decided.filter(([, value]) => value !== undefined));
};

type How<T> = {
  readonly on: "node" | "edge" | "key";
  readonly idOf: (item: T) => string;
  readonly essence: (item: T) => unknown;
  readonly split: (items: readonly T[]) => Fields[];
  readonly join: (fields: Fields) => T;
  /** By id, with the places of the other side that name them. */
  readonly needed: ReadonlyMap<string, readonly string[]>;
  /** Keeps a thing only `holder` has without asking. */
  readonly isKept?: (item: T, holder: Side, isUntouched: boolean) => boolean;
  readonly ask: Ask;
};

/** Merges lists of things. */
export const mergeItems = <T>(lists: Versions<readonly T[]>, how: How<T>): ReadonlyMap<string, T> => {
  const { on, idOf, essence, split, join, needed, isKept, ask } = how;
  const [base, mine, theirs] = [byId(lists.base, idOf), byId(lists.mine, idOf), byId(lists.theirs, idOf)];

  const ofOne = (id: string, item: T, holder: Side): T | undefined => {
    const before = base.get(id);
    if (before === undefined) return item;
    const isUntouched = same(essence(before), essence(item));
    if (isKept?.(item, holder, isUntouched) === true) return item;
    const namedBy = needed.get(id) ?? [];
    if (namedBy.length === 0 && isUntouched) return undefined;
    const sides = { [holder]: item, [getOtherSide(holder)]: undefined };
    const choice = ask({ on, subject: id, field: null, base: before, mine: sides["mine"], theirs: sides["theirs"], namedBy });

    return choice === holder ? item : undefined;
  };

  const ofBoth = (id: string, own: T, other: T): T => {
    const before = base.get(id);
    if (same(own, other) || (before !== undefined && same(before, other))) return own;
    if (before !== undefined && same(before, own)) return other;
    const [ownFields = new Map(), otherFields = new Map(), baseFields = new Map()] = split(
      before === undefined ? [own, other] : [own, other, before],
    );
    const merged = mergeFields({ base: baseFields, mine: ownFields, theirs: otherFields }, (field, values) =>
      ask({ on, subject: id, field, ...values, namedBy: [] }),
    );

    return join(merged);
  };

  const found = new Map<string, T>();
  for (const id of new Set([...mine.keys(), ...theirs.keys()])) {
    const [own, other] = [mine.get(id), theirs.get(id)];
    if (own !== undefined && other !== undefined) found.set(id, ofBoth(id, own, other));
    else {
      const item = own === undefined ? other : own;
      const kept = item === undefined ? undefined : ofOne(id, item, own === undefined ? "theirs" : "mine");
      if (kept !== undefined) found.set(id, kept);
    }
  }

  return found;
};

/** Lists three lists' ids for `mergeOrder`. */
export const mergeIds = <T>({ base, mine, theirs }: Versions<readonly T[]>, idOf: (item: T) => string) =>
  [[...byId(base, idOf).keys()], [...byId(mine, idOf).keys()], [...byId(theirs, idOf).keys()]] as const;

/** Orders things whose order is irrelevant. */
export const orderItems = <T>(found: ReadonlyMap<string, T>, lists: Versions<readonly T[]>, idOf: (item: T) => string): T[] =>
  mergeOrder(mergeIds(lists, idOf), new Set(found.keys()), "mine").ids.flatMap((id) => {
    const item = found.get(id);

    return item === undefined ? [] : [item];
  });
