/** What differs inside one node, edge, key or the graph itself, field by field, with both values. */
import type { Json, JsonObject } from "@/lib/json";

export type FieldChange = {
  /** Names of members, joined by dots. */
  readonly field: string;
  /** Undefined: it was not there. */
  readonly before: Json | undefined;
  /** Undefined: it is not there any more. */
  readonly after: Json | undefined;
};

type Members = { readonly [key: string]: Json | undefined };

const isMembers = (value: Json | undefined): value is JsonObject => typeof value === "object" && value !== null && !Array.isArray(value);

const sameText = (a: Json | undefined, b: Json | undefined): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Objects are gone into, everything else is one value: a list is read as a whole. */
const changesOf = (before: Members, after: Members, path: readonly string[]): FieldChange[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
    const [old, now] = [before[name], after[name]];
    const here = [...path, name];
    if (isMembers(old) && isMembers(now)) return changesOf(old, now, here);

    return sameText(old, now) ? [] : [{ field: here.join("."), before: old, after: now }];
  });

const plain = (item: object): Members => JSON.parse(JSON.stringify(item)) as Members;

/** In the order of the fields. Where something stands on the canvas is no field. */
export const diffFields = (before: object, after: object): readonly FieldChange[] =>
  changesOf(plain({ ...before, position: undefined }), plain({ ...after, position: undefined }), []);
