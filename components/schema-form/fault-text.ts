import { isArtifactSchema } from "@/lib/graph/artifact-schema";
import { matchesSchema } from "@/lib/graph/json-schema";
import type { Json, JsonObject } from "@/lib/json";

type Rule = { readonly keyword: string; readonly says: (limit: Json) => string };

const word = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));
const some = (count: Json, one: string, more: string): string => `${JSON.stringify(count)} ${count === 1 ? one : more}`;

const KINDS: Readonly<Record<string, string>> = {
  date: "Enter a date like 2026-11-22.",
  "date-time": "Enter a date and time like 2026-11-22T10:30:00Z.",
  time: "Enter a time like 10:30:00Z.",
  uri: "Enter a URL like https://example.org/page.",
  url: "Enter a URL like https://example.org/page.",
  email: "Enter an email address like ada@example.org.",
};

const RULES: readonly Rule[] = [
  { keyword: "minimum", says: (limit) => `At least ${JSON.stringify(limit)}.` },
  { keyword: "maximum", says: (limit) => `At most ${JSON.stringify(limit)}.` },
  { keyword: "exclusiveMinimum", says: (limit) => `More than ${JSON.stringify(limit)}.` },
  { keyword: "exclusiveMaximum", says: (limit) => `Less than ${JSON.stringify(limit)}.` },
  { keyword: "multipleOf", says: (limit) => `A multiple of ${JSON.stringify(limit)}.` },
  { keyword: "minLength", says: (limit) => `At least ${some(limit, "character", "characters")}.` },
  { keyword: "maxLength", says: (limit) => `At most ${some(limit, "character", "characters")}.` },
  { keyword: "pattern", says: (pattern) => `Must match ${word(pattern)}.` },
  { keyword: "format", says: (format) => KINDS[word(format)] ?? `Not a valid ${word(format)}.` },
  { keyword: "minItems", says: (limit) => `At least ${some(limit, "line", "lines")}.` },
  { keyword: "maxItems", says: (limit) => `At most ${some(limit, "line", "lines")}.` },
  { keyword: "uniqueItems", says: () => "Lines must be unique." },
  { keyword: "required", says: (names) => `Missing: ${Array.isArray(names) ? names.join(", ") : "a member"}.` },
];

const broken = (schema: JsonObject, value: Json): string | null => {
  const rule = RULES.find(({ keyword }) => {
    const limit = schema[keyword];

    return limit !== undefined && !matchesSchema({ [keyword]: limit }, value, false);
  });

  return rule ? rule.says(schema[rule.keyword] ?? null) : null;
};

/** @param value undefined: absent */
export const describeFault = (schema: JsonObject, value: Json | undefined): string => {
  const generic = "Does not match the form.";
  if (value === undefined) return generic;
  if (isArtifactSchema(schema)) return "Choose a file of an allowed type.";
  const items = schema["items"];
  if (Array.isArray(value) && typeof items === "object" && items !== null && !Array.isArray(items)) {
    const each = items as JsonObject;
    const index = value.findIndex((item: Json) => !matchesSchema(each, item, true));
    if (index >= 0) return `Line ${index + 1}: ${broken(each, value[index] as Json) ?? generic}`;
  }

  return broken(schema, value) ?? generic;
};
