import { getValueAtText } from "@/lib/graph/path";
import { toCanonicalJson, type Json, type JsonObject } from "@/lib/json";

export type Rule = "object" | "list" | "text";
type Part = { readonly path: string; readonly value: Json };

/** Lists present granted values in order; `*` stands for all keys. */
export const splitParts = (grants: readonly string[], view: JsonObject): readonly Part[] =>
  [...new Set(grants.flatMap((grant) => (grant === "*" ? Object.keys(view) : [grant])))].flatMap((path) => {
    const value = getValueAtText(view, path);

    return value === undefined ? [] : [{ path, value }];
  });

export const mergeParts = (parts: readonly Part[], rule: Rule): Json => {
  switch (rule) {
    case "object":
      return Object.fromEntries(parts.map(({ path, value }) => [path, value]));
    case "list":
      return parts.flatMap(({ value }) => (Array.isArray(value) ? (value as readonly Json[]) : [value]));
    case "text":
      return parts.map(({ value }) => (typeof value === "string" ? value : toCanonicalJson(value))).join("\n\n");
    default:
      return rule satisfies never;
  }
};
