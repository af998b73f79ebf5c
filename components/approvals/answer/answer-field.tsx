"use client";

import { toVisibleText } from "@/components/values/visible-text";
import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import { MOST_INPUT_CHARACTERS, type InputField } from "@/lib/engine/approvals/tool-input";
import { describeHint } from "./answer-draft";

const YES_NO = [
  { value: "yes", label: "Yes" },
  { value: "no", label: "No" },
] as const;

const NOT_ENTERED = { value: "", label: "Not answered" } as const;

const labelOf = ({ name, title }: InputField): string => toVisibleText(title ?? name);

const suggestedOf = (field: InputField): string => {
  if (field.suggested === undefined) return "";

  return toVisibleText([field.suggested].flat().join(", "));
};

/** Our hint first; the server's text is marked. */
const Hint = ({ field }: { readonly field: InputField }) => {
  const suggested = suggestedOf(field);

  return (
    <>
      {describeHint(field)}
      {field.description === undefined ? null : <span className="block">From the server: {toVisibleText(field.description)}</span>}
      {suggested === "" ? null : <span className="block break-all">Suggested by the server: {suggested}</span>}
    </>
  );
};

type Props = {
  readonly field: InputField;
  readonly typed: readonly string[];
  readonly fault: string | null;
  readonly onType: (typed: readonly string[]) => void;
};

const optionsOf = (field: Extract<InputField, { options: unknown }>) =>
  field.options.map(({ title }, index) => ({ value: String(index), label: toVisibleText(title) }));

const Choices = ({ field, typed, fault, onType }: Props & { readonly field: Extract<InputField, { kind: "choices" }> }) => (
  <fieldset className="flex flex-col gap-1">
    <legend className="text-sm font-medium">{labelOf(field)}</legend>
    {optionsOf(field).map(({ value, label }) => (
      <Checkbox
        key={value}
        checked={typed.includes(value)}
        onCheckedChange={(checked) => onType(checked ? [...typed, value] : typed.filter((one) => one !== value))}
      >
        {label}
      </Checkbox>
    ))}
    <p className="text-xs text-muted">
      <Hint field={field} />
    </p>
    {fault === null ? null : <p className="text-xs text-refused">{fault}</p>}
  </fieldset>
);

/** Field of a server's form. Server suggestions are never filled in. */
export const AnswerField = ({ field, typed, fault, onType }: Props) => {
  const [first = ""] = typed;
  if (field.kind === "choices") return <Choices field={field} typed={typed} fault={fault} onType={onType} />;
  const choose = (value: string) => onType(value === "" ? [] : [value]);
  const items = field.kind === "boolean" ? YES_NO : field.kind === "choice" ? optionsOf(field) : null;

  return (
    <Field label={labelOf(field)} hint={<Hint field={field} />} error={fault}>
      {items ? (
        <Select
          items={field.required ? items : [NOT_ENTERED, ...items]}
          value={first === "" ? null : first}
          onValueChange={choose}
          className="w-64"
        />
      ) : field.kind === "text" && field.format === undefined && (field.max_length ?? MOST_INPUT_CHARACTERS) > 200 ? (
        <Textarea rows={2} value={first} maxLength={MOST_INPUT_CHARACTERS} onChange={(event) => onType([event.currentTarget.value])} />
      ) : (
        <Input
          value={first}
          maxLength={MOST_INPUT_CHARACTERS}
          autoComplete="off"
          inputMode={field.kind === "number" ? "decimal" : "text"}
          className="w-96 max-w-full"
          onChange={(event) => onType([event.currentTarget.value])}
        />
      )}
    </Field>
  );
};
