"use client";

import { ListChecks, Trash2 } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { NodeOf } from "@/lib/graph/document";
import type { ExtractField } from "@/lib/graph/kinds/extract";
import type { JudgeRule } from "@/lib/graph/kinds/judge";
import { listFittingRules, createRule, suggestRule } from "@/lib/graph/suggested-rule";
import { RuleFields } from "./rule-fields";

type Rules = NodeOf<"judge">["config"]["rules"];

const TITLES: Record<JudgeRule["type"], string> = {
  enum: "Is one of these",
  range: "Is a number between",
  date: "Is a date between",
  length: "Has a length between",
  boolean: "Is exactly",
  pattern: "Matches a pattern",
  url: "Is a URL of",
  path_under: "Is a file path under",
  mail_domain: "Is an email address of",
};

type Props = {
  readonly from: string;
  readonly fields: readonly ExtractField[];
  readonly rules: Rules;
  readonly onChange: (rules: Rules, field?: string) => void;
};

/** One rule per field; unlisted values are rejected. */
export const JudgeRules = ({ from, fields, rules, onChange }: Props) => {
  const byName = new Map(fields.map((field) => [field.name, field]));
  const missing = fields.filter((field) => rules.every((entry) => entry.field !== field.name));
  const nothing = fields.length === 0 ? `No extract node writes ${from} yet` : "Every field has a rule";
  const names = missing.map((field) => field.name).join(", ");
  const fieldText = fields.length === 0 ? `No extract node writes ${from} yet. Add one first; each of its fields gets a rule here.` : null;

  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2 text-sm font-medium">Rules</legend>
      <p className="-mt-1 text-xs text-muted">Every field needs exactly one rule. Values that its rule does not allow are rejected.</p>
      {fieldText === null ? null : <p className="rounded-md border border-dashed px-3 py-2 text-xs text-muted">{fieldText}</p>}
      {rules.map(({ field: name, rule }, index) => {
        const field = byName.get(name);
        const types = field ? listFittingRules(field.value.type) : [rule.type];
        const items = [...new Set([...types, rule.type])].map((type) => ({ value: type, label: TITLES[type] }));

        return (
          // Two rules may share a field by mistake.
          <fieldset key={index} aria-label={`Rule for ${name}`} className="flex min-w-0 flex-col gap-2 border-l-2 pl-3">
            <Field label={field ? name : `${name} (no such field)`}>
              <Select
                items={items}
                value={rule.type}
                onValueChange={(type) => {
                  if (field && type !== rule.type) onChange(rules.with(index, { field: name, rule: createRule(type, field.value) }));
                }}
              />
            </Field>
            <RuleFields
              name={name}
              field={field}
              rule={rule}
              onChange={(next, part) =>
                onChange(rules.with(index, { field: name, rule: next }), part === undefined ? undefined : `rule.${index}.${part}`)
              }
            />
            <Button size="sm" variant="ghost" className="self-start" onClick={() => onChange(rules.toSpliced(index, 1))}>
              <Trash2 aria-hidden /> Remove the rule for {name}
            </Button>
          </fieldset>
        );
      })}
      {missing.length === 0 ? null : <p className="text-xs text-muted">Fields without a rule: {names}.</p>}
      <Button
        size="sm"
        className="self-start"
        disabledReason={missing.length === 0 ? nothing : null}
        onClick={() => onChange([...rules, ...missing.map((field) => ({ field: field.name, rule: suggestRule(field.value) }))])}
      >
        <ListChecks aria-hidden /> Add missing rules
      </Button>
    </fieldset>
  );
};
