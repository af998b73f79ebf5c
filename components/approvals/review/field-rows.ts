/** Form fields with source occurrences and rule results. */
import { passes } from "@/lib/graph/judge-rules";
import { findFormFaults } from "@/lib/graph/extract-form";
import type { ExtractField } from "@/lib/graph/kinds/extract";
import type { JudgeRule } from "@/lib/graph/kinds/judge";
import { isJsonObject, ownMember, type Json } from "@/lib/json";
import { findLiteralPlaces, type Place, type SourcePart } from "./literal-places";

/** `left_out`: absent but optional; `no_rule`: never passes. */
export type Standing = "passes" | "fails" | "left_out" | "no_rule";

export type FieldRow = {
  readonly name: string;
  readonly description: string;
  readonly value: Json | undefined;
  readonly rule: JudgeRule | null;
  readonly standing: Standing;
  readonly places: readonly Place[];
};

type Rules = readonly { readonly field: string; readonly rule: JudgeRule }[];

const standingOf = (rules: Rules, name: string, value: Json | undefined, required: boolean): Standing => {
  const [own, twin] = rules.filter(({ field }) => field === name);
  if (!own || twin) return "no_rule";
  if (value === undefined) return required ? "fails" : "left_out";

  return passes(own.rule, value) ? "passes" : "fails";
};

/** @param fields of the extract node; null: the target's members @param parts of the source; null: no source */
export const buildFieldRows = (
  target: Json,
  fields: readonly ExtractField[] | null,
  rules: Rules,
  parts: readonly SourcePart[] | null,
): readonly FieldRow[] => {
  const members = isJsonObject(target) ? Object.keys(target) : [];
  const declared = fields?.map(({ name }) => name) ?? [];
  const names = [...new Set([...declared, ...members])];

  return names.map((name) => {
    const field = fields?.find((one) => one.name === name);
    const value = ownMember(target, name);
    const [own] = rules.filter((rule) => rule.field === name);

    return {
      name,
      description: field?.description ?? "",
      value,
      rule: own?.rule ?? null,
      standing: standingOf(rules, name, value, field?.required ?? true),
      places: parts === null ? [] : findLiteralPlaces(parts, value),
    };
  });
};

export const findFormObjection = (target: Json, fields: readonly ExtractField[] | null, rows: readonly FieldRow[]): string | null => {
  if (!isJsonObject(target) || rows.length === 0) return "No form fields.";
  if (fields !== null && findFormFaults(fields, target) !== null) return "Doesn't match the requested form.";
  const failing = rows.filter(({ standing }) => standing === "fails" || standing === "no_rule").length;

  return failing === 0 ? null : `${failing} of ${rows.length} fields fail.`;
};
