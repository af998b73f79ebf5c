import { toCanonicalJson, type Json, type JsonObject } from "@/lib/json";

/** Outermost first. */
export type Place = readonly (string | number)[];

export type Leaf = { readonly place: Place; readonly value: Json };

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
const isMembers = (value: Json): value is JsonObject => typeof value === "object" && value !== null && !isList(value);

/** Lists scalars and empty containers in order. */
export const listLeaves = (value: Json, place: Place = []): readonly Leaf[] => {
  if (isList(value) && value.length > 0) return value.flatMap((item, index) => listLeaves(item, [...place, index]));
  if (isMembers(value) && Object.keys(value).length > 0) {
    return Object.entries(value).flatMap(([name, member]) => listLeaves(member, [...place, name]));
  }

  return [{ place, value }];
};

/** JSON Patch operations; `same`: unchanged. */
export type PartOp = "add" | "remove" | "replace" | "same";

export type Part = { readonly place: Place; readonly op: PartOp; readonly before: Json | undefined; readonly after: Json | undefined };

/** Names a place among those of one value. */
export const placeKey = (place: Place): string => JSON.stringify(place);

/** Returns whether both are the same typed value, or both are absent. */
export const isSameValue = (one: Json | undefined, other: Json | undefined): boolean =>
  one === undefined || other === undefined ? one === other : toCanonicalJson(one) === toCanonicalJson(other);

const opOf = (before: Json | undefined, after: Json | undefined): PartOp => {
  if (before === undefined) return "add";
  if (after === undefined) return "remove";

  return isSameValue(before, after) ? "same" : "replace";
};

/** Splits into parts. */
export const splitParts = (before: Json | undefined, after: Json | undefined): readonly Part[] => {
  const then = new Map((before === undefined ? [] : listLeaves(before)).map((leaf) => [placeKey(leaf.place), leaf]));
  const now = new Map((after === undefined ? [] : listLeaves(after)).map((leaf) => [placeKey(leaf.place), leaf]));
  const part = (place: Place): Part => {
    const [was, is] = [then.get(placeKey(place))?.value, now.get(placeKey(place))?.value];

    return { place, op: opOf(was, is), before: was, after: is };
  };
  const gone = [...then.values()].filter(({ place }) => !now.has(placeKey(place)));

  return [...now.values(), ...gone].map(({ place }) => part(place));
};
