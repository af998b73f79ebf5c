import type { Json, JsonObject } from "@/lib/json";

export type FieldChange = {
  /** Member names, joined by dots. */
  readonly field: string;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
};

type Members = { readonly [key: string]: Json | undefined };

const isMembers = (value: Json | undefined): value is JsonObject => typeof value === "object" && value !== null && !Array.isArray(value);

const sameText = (a: Json | undefined, b: Json | undefined): boolean => JSON.stringify(a) === JSON.stringify(b);

/** A list is one value. */
const changesOf = (before: Members, after: Members, path: readonly string[]): FieldChange[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
    const [old, now] = [before[name], after[name]];
    const here = [...path, name];
    if (isMembers(old) && isMembers(now)) return changesOf(old, now, here);

    return sameText(old, now) ? [] : [{ field: here.join("."), before: old, after: now }];
  });

const plain = (item: object): Members => JSON.parse(JSON.stringify(item)) as Members;

/** Diffs fields, ignoring canvas positions. */
export const diffFields = (before: object, after: object): readonly FieldChange[] =>
  changesOf(plain({ ...before, position: undefined }), plain({ ...after, position: undefined }), []);
