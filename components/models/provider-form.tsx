"use client";

import { Controller, useWatch } from "react-hook-form";
import { z } from "zod";
import { Callout } from "@/components/ui/callout";
import { Checkbox } from "@/components/ui/checkbox";
import { Form, FormActions, SelectField, TextField, useZodForm } from "@/components/ui/form";
import type { ModelChange } from "@/lib/model-change";
import { PROVIDER_KINDS, providerIdSchema, typedProviderKeySchema, type ProviderKind } from "@/lib/model-provider";
import type { ProviderView } from "@/server/trpc/routers/models/settings";
import { KIND_NAMES, describeLocalOpening, getUsualAddress } from "./labels";
import { useModelChange } from "./use-models";

const formSchema = z
  .strictObject({
    id: providerIdSchema,
    kind: z.enum(PROVIDER_KINDS),
    name: z.string().trim().min(1, "Required."),
    baseUrl: z.string().trim(),
    allowLocal: z.boolean(),
    /** Empty: none, or the stored one. */
    key: typedProviderKeySchema,
  })
  .refine(({ kind, baseUrl }) => kind !== "openai-compatible" || baseUrl !== "", { path: ["baseUrl"], message: "Required." });
type ProviderFields = z.infer<typeof formSchema>;

const KINDS = PROVIDER_KINDS.map((kind) => ({ value: kind, label: KIND_NAMES[kind] }));

/** Until the user enters an ID. */
const idFrom = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^[^a-z]+|-+$/g, "")
    .slice(0, 40);

const keyHint = (kind: ProviderKind, hasKey: boolean): string => {
  if (hasKey) return "A key is stored. Leave empty to keep it, or enter a new one.";

  return kind === "openai-compatible" ? "Only if the server requires one." : "Stored encrypted. It is never shown or logged.";
};

const toChange = (edited: ProviderView | null, { id, kind, name, baseUrl, allowLocal, key: typed }: ProviderFields): ModelChange => {
  const fields = { name, base_url: baseUrl === "" ? null : baseUrl, allow_local: allowLocal && baseUrl !== "" };
  const key = typed === "" ? null : typed;

  return edited
    ? { type: "edit_provider", id, revision: edited.revision, fields, key }
    : { type: "add_provider", provider: { id, kind, ...fields }, key };
};

/** @param props.edited null: new */
export const ProviderForm = ({ edited, close }: { readonly edited: ProviderView | null; readonly close: () => void }) => {
  const { send, isPending, error } = useModelChange();
  const form = useZodForm(formSchema, {
    id: edited?.id ?? "",
    kind: edited?.kind ?? "openai-compatible",
    name: edited?.name ?? "",
    baseUrl: edited?.baseUrl ?? "",
    allowLocal: edited?.allowLocal ?? false,
    key: "",
  });
  const [kind, baseUrl, isLocal] = useWatch({ control: form.control, name: ["kind", "baseUrl", "allowLocal"] });
  const isNew = edited === null;
  const hasKey = edited?.hasKey ?? false;
  const usual = getUsualAddress(kind);
  const hasUrl = baseUrl.trim() !== "";
  const suggestId = (name: string) => {
    if (isNew && !form.getFieldState("id").isDirty) form.resetField("id", { defaultValue: idFrom(name) });
  };

  return (
    <Form
      onSubmit={form.handleSubmit((fields) =>
        send(toChange(edited, fields), isNew ? "Provider added. Add its models next." : "Provider saved.", close),
      )}
      error={error}
    >
      {isNew ? <SelectField form={form} name="kind" label="Kind" items={KINDS} /> : null}
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField form={form} name="name" label="Name" maxLength={120} onInput={({ currentTarget }) => suggestId(currentTarget.value)} />
        <TextField
          form={form}
          name="id"
          label="ID"
          hint={isNew ? "Prefix of its model IDs, as in acme:model." : "Part of its model IDs. It can't be changed."}
          className="font-mono"
          maxLength={40}
          readOnly={!isNew}
        />
      </div>
      <TextField
        form={form}
        name="baseUrl"
        label="Base URL"
        hint={usual === null ? "Including the version, such as https://models.example.com/v1." : `Leave empty for ${usual}.`}
        inputMode="url"
        className="font-mono"
        placeholder={usual ?? "https://…"}
        maxLength={2_000}
      />
      <Controller
        control={form.control}
        name="allowLocal"
        render={({ field: { value, onChange } }) => (
          <Checkbox checked={value} disabled={!hasUrl} onCheckedChange={onChange}>
            Allow local addresses
            <span className="block text-xs text-muted">For a model server on your network. All others must use public HTTPS.</span>
          </Checkbox>
        )}
      />
      {isLocal && hasUrl ? (
        <Callout kind="tainted" title="This allows access to the network around the installation">
          {describeLocalOpening(baseUrl)}
        </Callout>
      ) : null}
      <TextField
        form={form}
        name="key"
        label={hasKey ? "New key" : "Key"}
        hint={keyHint(kind, hasKey)}
        type="password"
        className="font-mono"
        maxLength={2_000}
      />
      <FormActions submit={isNew ? "Add provider" : "Save"} pending={isPending ? "Committing…" : null} onCancel={close} />
    </Form>
  );
};
