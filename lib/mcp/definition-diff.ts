import type { ToolDefinition } from "./definition";

export type FieldDiff = {
  readonly field: "title" | "description" | "input_schema" | "output_schema" | "annotations";
  readonly before: string | null;
  readonly after: string | null;
  readonly changed: boolean;
};

const FIELDS = ["title", "description", "input_schema", "output_schema", "annotations"] as const satisfies readonly FieldDiff["field"][];

/** Ignores member order. */
const ordered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== "object" || value === null) return value;

  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, ordered(item)]),
  );
};

const textOf = (definition: ToolDefinition | null, field: FieldDiff["field"]): string | null => {
  const value = definition?.[field] ?? null;

  return value === null || typeof value === "string" ? value : JSON.stringify(ordered(value), null, 2);
};

export const diffDefinitions = (before: ToolDefinition | null, after: ToolDefinition | null): readonly FieldDiff[] =>
  FIELDS.map((field) => {
    const [was, is] = [textOf(before, field), textOf(after, field)];

    return { field, before: was, after: is, changed: was !== is };
  });

export type LineMark = { readonly text: string; readonly changed: boolean };

/** Marks lines absent from the other text. */
export const markLines = (
  before: string | null,
  after: string | null,
): { readonly before: readonly LineMark[]; readonly after: readonly LineMark[] } => {
  const [was, is] = [before?.split("\n") ?? [], after?.split("\n") ?? []];
  const [wasSet, isSet] = [new Set(was), new Set(is)];

  return {
    before: was.map((text) => ({ text, changed: !isSet.has(text) })),
    after: is.map((text) => ({ text, changed: !wasSet.has(text) })),
  };
};
