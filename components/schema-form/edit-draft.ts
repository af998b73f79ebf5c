import { readForm, type Entered } from "./entered-values";
import { listSchemaFields, type SchemaField } from "./schema-field";
import type { ApprovalView, ViewLine } from "@/lib/engine/approvals/approval-view";
import { toCanonicalJson, isJsonObject, jsonSchema, type Json, type JsonObject } from "@/lib/json";

export type Change = { readonly arguments: Json } | { readonly updates: readonly { readonly path: string; readonly value: Json }[] };

/** Null: nothing proposed, or part of it is hidden. */
export type Proposed =
  | { readonly kind: "arguments"; readonly value: JsonObject }
  | { readonly kind: "updates"; readonly value: readonly { readonly path: string; readonly value: Json }[] };

const shownOf = (line: ViewLine): Json | undefined => (line.after === null || line.after.hidden ? undefined : line.after.value);

const argumentName = ({ path }: ViewLine, tool: string): string => path.slice(tool.length + 1);

/** @param tool `server.tool`, or null without a call */
export const findProposed = (view: ApprovalView, tool: string | null): Proposed | null => {
  const lines = view.lines.filter(({ op }) => op !== "show");
  if (lines.some(({ after }) => after?.hidden === true)) return null;
  const pairs = lines.flatMap((line): [ViewLine, Json][] => {
    const value = shownOf(line);

    return value === undefined ? [] : [[line, value]];
  });
  if (tool !== null) {
    const isCall = lines.every(({ op, path }) => op === "call" && path.startsWith(`${tool}.`));

    return isCall
      ? { kind: "arguments", value: Object.fromEntries(pairs.map(([line, value]) => [argumentName(line, tool), value])) }
      : null;
  }

  return pairs.length > 0 ? { kind: "updates", value: pairs.map(([{ path }, value]) => ({ path, value })) } : null;
};

const lineText = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));

const leafText = ({ control }: SchemaField, value: Json): string => {
  if (control.type === "list") return Array.isArray(value) ? value.map(lineText).join("\n") : "";
  if (control.type === "choice" || control.type === "json" || control.type === "file") return JSON.stringify(value);

  return lineText(value);
};

const textsOf = (fields: readonly SchemaField[], value: JsonObject): [string, string][] =>
  fields.flatMap((field): [string, string][] => {
    const member = Object.hasOwn(value, field.name) ? value[field.name] : undefined;
    if (field.control.type === "group") return textsOf(field.control.fields, isJsonObject(member) ? member : {});

    // Opening a form must not edit, so defaults stay empty.
    return [[field.place, member === undefined ? "" : leafText(field, member)]];
  });

/** Form entries; null: the form can't represent the arguments exactly. */
export const toEntered = (schema: JsonObject, value: JsonObject): Entered | null => {
  const fields = listSchemaFields(schema);
  if (fields === null) return null;
  const entered = Object.fromEntries(textsOf(fields, value));
  const read = readForm(schema, entered);

  return toCanonicalJson(read.value) === toCanonicalJson(value) ? entered : null;
};

export type ReadValue = { readonly value: Json | undefined; readonly problem: string | null };

export const readJson = (text: string): ReadValue => {
  try {
    const parsed = jsonSchema.safeParse(JSON.parse(text));

    return parsed.success ? { value: parsed.data, problem: null } : { value: undefined, problem: "Enter valid JSON." };
  } catch {
    return { value: undefined, problem: "Enter valid JSON." };
  }
};

export const updateText = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value, null, 2));

export const readUpdate = (before: Json, text: string): ReadValue =>
  typeof before === "string" ? { value: text, problem: null } : readJson(text);

export const isUnchanged = (proposed: Proposed, change: Change): boolean =>
  toCanonicalJson(proposed.value) === toCanonicalJson("arguments" in change ? change.arguments : change.updates);
