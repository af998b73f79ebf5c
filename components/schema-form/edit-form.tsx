"use client";

import { SchemaFields } from "./schema-fields";
import { readForm, type Entered } from "./entered-values";
import { Field } from "@/components/ui/field";
import { Textarea } from "@/components/ui/textarea";
import { isJsonObject, type JsonObject } from "@/lib/json";
import { toEntered, readJson, readUpdate, updateText, type Change, type Proposed } from "./edit-draft";

/** `change` is null while an entry is invalid. */
export type Draft = { readonly entered: Entered; readonly change: Change | null };

type FormProps = {
  readonly entered: Entered;
  readonly onDraft: (draft: Draft) => void;
};

const WHOLE = "#";

/** One field per argument of the schema. */
const SchemaForm = ({ schema, entered, onDraft }: FormProps & { readonly schema: JsonObject }) => {
  const form = readForm(schema, entered);

  return (
    <div className="flex flex-col gap-3">
      <SchemaFields
        fields={form.fields}
        entered={entered}
        problems={form.problems}
        onChange={(place, text) => onDraft(argumentsDraft(schema, { ...entered, [place]: text }))}
        onLeave={() => undefined}
      />
      {form.misfit ? <p className="text-sm text-refused">The arguments don&apos;t match the tool&apos;s schema.</p> : null}
    </div>
  );
};

const JsonForm = ({ entered, onDraft }: FormProps) => {
  const text = entered[WHOLE] ?? "";
  const { value, problem } = readJson(text);

  return (
    <Field label="Arguments" hint="JSON" error={problem ?? (isJsonObject(value) ? null : "Enter a JSON object.")}>
      <Textarea
        rows={12}
        spellCheck={false}
        className="font-mono text-xs"
        value={text}
        onChange={(event) => onDraft(wholeDraft(event.currentTarget.value))}
      />
    </Field>
  );
};

type UpdatesProps = FormProps & { readonly proposed: Extract<Proposed, { kind: "updates" }> };

const UpdatesForm = ({ proposed, entered, onDraft }: UpdatesProps) => (
  <div className="flex flex-col gap-3">
    {proposed.value.map(({ path, value }) => {
      const text = entered[path] ?? "";

      return (
        <Field key={path} label={path} error={readUpdate(value, text).problem} {...(typeof value === "string" ? {} : { hint: "JSON" })}>
          <Textarea
            rows={typeof value === "string" ? 3 : 5}
            spellCheck={typeof value === "string" ? undefined : false}
            className={typeof value === "string" ? undefined : "font-mono text-xs"}
            value={text}
            onChange={(event) => onDraft(updatesDraft(proposed, { ...entered, [path]: event.currentTarget.value }))}
          />
        </Field>
      );
    })}
  </div>
);

const argumentsDraft = (schema: JsonObject, entered: Entered): Draft => {
  const { value, problems, misfit } = readForm(schema, entered);

  return { entered, change: problems.size > 0 || misfit ? null : { arguments: value } };
};

const wholeDraft = (text: string): Draft => {
  const { value } = readJson(text);

  return { entered: { [WHOLE]: text }, change: value !== undefined && isJsonObject(value) ? { arguments: value } : null };
};

const updatesDraft = (proposed: UpdatesProps["proposed"], entered: Entered): Draft => {
  const read = proposed.value.map(({ path, value }) => ({ path, ...readUpdate(value, entered[path] ?? "") }));
  const updates = read.flatMap(({ path, value }) => (value === undefined ? [] : [{ path, value }]));

  return { entered, change: updates.length === read.length ? { updates } : null };
};

const formSchema = (proposed: Proposed, schema: JsonObject | null): JsonObject | null =>
  schema !== null && proposed.kind === "arguments" && toEntered(schema, proposed.value) !== null ? schema : null;

/** Draft without changes. */
export const toDraft = (proposed: Proposed, schema: JsonObject | null): Draft => {
  if (proposed.kind === "updates") {
    return updatesDraft(proposed, Object.fromEntries(proposed.value.map(({ path, value }) => [path, updateText(value)])));
  }
  const fit = formSchema(proposed, schema);

  return fit ? argumentsDraft(fit, toEntered(fit, proposed.value) ?? {}) : wholeDraft(JSON.stringify(proposed.value, null, 2));
};

type Props = {
  readonly proposed: Proposed;
  readonly schema: JsonObject | null;
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
};

export const EditForm = ({ proposed, schema, draft: { entered }, onDraft }: Props) => {
  if (proposed.kind === "updates") return <UpdatesForm proposed={proposed} entered={entered} onDraft={onDraft} />;
  const fit = formSchema(proposed, schema);

  return fit ? <SchemaForm schema={fit} entered={entered} onDraft={onDraft} /> : <JsonForm entered={entered} onDraft={onDraft} />;
};
