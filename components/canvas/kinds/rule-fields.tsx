"use client";

import { NameList } from "@/components/canvas/fields/name-list";
import { NumberField } from "@/components/canvas/fields/number-field";
import { TextField } from "@/components/canvas/fields/text-field";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { ExtractField } from "@/lib/graph/kinds/extract";
import type { JudgeRule } from "@/lib/graph/kinds/judge";
import { isDomain, isOrigin, isPattern } from "@/lib/graph/problems/rule-faults";

const FAR = 1_000_000_000;
const MAX_LENGTH = 1_000_000;

const ANSWERS = [
  { value: "yes", label: "Yes" },
  { value: "no", label: "No" },
] as const;

const notADate = (text: string): string | null =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? null : "Enter a date like 2026-11-22.";

type Props = {
  readonly name: string;
  readonly field: ExtractField | undefined;
  readonly rule: JudgeRule;
  readonly onChange: (rule: JudgeRule, part?: string) => void;
};

export const RuleFields = ({ name, field, rule, onChange }: Props) => {
  switch (rule.type) {
    case "enum":
      return (
        <NameList
          label={`Allowed for ${name}`}
          placeholder="Add a value"
          names={rule.values}
          suggestions={field?.value.type === "enum" ? field.value.values : []}
          check={(text) => (text.length > 500 ? "At most 500 characters." : null)}
          onChange={(values) => onChange({ ...rule, values: [...values] })}
        />
      );
    case "range":
      return (
        <div className="grid grid-cols-2 gap-2">
          <NumberField
            label={`${name} from`}
            integer={false}
            value={rule.min}
            min={-FAR}
            max={FAR}
            onCommit={(min) => onChange({ ...rule, min }, "min")}
          />
          <NumberField
            label={`${name} to`}
            integer={false}
            value={rule.max}
            min={-FAR}
            max={FAR}
            onCommit={(max) => onChange({ ...rule, max }, "max")}
          />
        </div>
      );
    case "date":
      return (
        <div className="grid grid-cols-2 gap-2">
          <TextField
            label={`${name} from`}
            mono
            value={rule.from}
            check={notADate}
            onCommit={(from) => onChange({ ...rule, from }, "from")}
          />
          <TextField label={`${name} to`} mono value={rule.to} check={notADate} onCommit={(to) => onChange({ ...rule, to }, "to")} />
        </div>
      );
    case "length":
      return (
        <div className="grid grid-cols-2 gap-2">
          <NumberField
            label={`Characters of ${name} from`}
            value={rule.min}
            min={0}
            max={MAX_LENGTH}
            onCommit={(min) => onChange({ ...rule, min }, "min")}
          />
          <NumberField
            label={`Characters of ${name} to`}
            value={rule.max}
            min={0}
            max={MAX_LENGTH}
            onCommit={(max) => onChange({ ...rule, max }, "max")}
          />
        </div>
      );
    case "boolean":
      return (
        <Field label={`${name} must be`}>
          <Select
            items={ANSWERS}
            value={rule.value ? "yes" : "no"}
            onValueChange={(answer) => onChange({ ...rule, value: answer === "yes" })}
          />
        </Field>
      );
    case "pattern":
      return (
        <TextField
          label={`Pattern of ${name}`}
          hint="RE2, matched against the whole text."
          mono
          value={rule.pattern}
          check={(text) => (text !== "" && text.length <= 500 && isPattern(text) ? null : "Enter a valid RE2 pattern.")}
          onCommit={(pattern) => onChange({ ...rule, pattern }, "pattern")}
        />
      );
    case "url":
      return (
        <>
          <NameList
            label={`Origins of ${name}`}
            placeholder="https://example.org"
            names={rule.origins}
            suggestions={[]}
            check={(text) => (isOrigin(text) ? null : "Enter an origin like https://example.org.")}
            onChange={(origins) => onChange({ ...rule, origins: [...origins] })}
          />
          <TextField
            label={`Path of ${name}, or below`}
            mono
            value={rule.path}
            check={(text) => (text.startsWith("/") && text.length <= 500 ? null : "Must start with /.")}
            onCommit={(path) => onChange({ ...rule, path }, "path")}
          />
        </>
      );
    case "path_under":
      return (
        <TextField
          label={`Folder of ${name}`}
          mono
          value={rule.root}
          check={(text) => (text === "" || text.length > 500 ? "1 to 500 characters." : null)}
          onCommit={(root) => onChange({ ...rule, root }, "root")}
        />
      );
    case "mail_domain":
      return (
        <NameList
          label={`Domains of ${name}`}
          placeholder="example.org"
          names={rule.domains}
          suggestions={[]}
          check={(text) => (isDomain(text) ? null : "Enter a domain like example.org.")}
          onChange={(domains) => onChange({ ...rule, domains: [...domains] })}
        />
      );
    default:
      return rule satisfies never;
  }
};
