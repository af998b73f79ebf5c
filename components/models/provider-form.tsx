"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { Form } from "@/components/ui/form";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { Failure } from "@/components/ui/failure";
import { PROVIDER_KINDS, providerIdSchema, providerKeySchema, type ProviderKind } from "@/lib/model-provider";
import { KIND_NAMES, describeLocalOpening, getUsualAddress } from "./labels";

export type ProviderForm = {
  readonly id: string;
  readonly kind: ProviderKind;
  readonly name: string;
  readonly baseUrl: string;
  readonly allowLocal: boolean;
  readonly key: string;
};

type Props = {
  readonly initial: ProviderForm;
  /** An existing provider keeps kind and ID. */
  readonly isNew: boolean;
  readonly hasKey: boolean;
  readonly pending: string | null;
  readonly error: unknown;
  readonly onSubmit: (form: ProviderForm) => void;
  readonly onCancel: () => void;
};

const KINDS = PROVIDER_KINDS.map((kind) => ({ value: kind, label: KIND_NAMES[kind] }));

/** Until the user enters an ID. */
const idFrom = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^[^a-z]+|-+$/g, "")
    .slice(0, 40);

const faultsOf = (form: ProviderForm, isNew: boolean) => {
  const id = isNew ? providerIdSchema.safeParse(form.id) : null;
  const key = form.key === "" ? null : providerKeySchema.safeParse(form.key);

  return {
    name: form.name.trim() === "" ? "Required." : null,
    id: id && !id.success ? (id.error.issues[0]?.message ?? null) : null,
    baseUrl: form.baseUrl.trim() === "" && form.kind === "openai-compatible" ? "Required." : null,
    key: key && !key.success ? (key.error.issues[0]?.message ?? null) : null,
  };
};

const keyHint = (kind: ProviderKind, hasKey: boolean): string => {
  if (hasKey) return "A key is stored. Leave empty to keep it, or enter a new one.";

  return kind === "openai-compatible" ? "Only if the server requires one." : "Stored encrypted. It is never shown or logged.";
};

export const ProviderFields = ({ initial, isNew, hasKey, pending, error, onSubmit, onCancel }: Props) => {
  const [form, setForm] = useState(initial);
  const [isOwnId, setIsOwnId] = useState(!isNew);
  const [isAsked, setIsAsked] = useState(false);
  const faults = faultsOf(form, isNew);
  const usual = getUsualAddress(form.kind);
  const change = (part: Partial<ProviderForm>) => setForm((before) => ({ ...before, ...part }));
  const submit = () => {
    setIsAsked(true);
    if (Object.values(faults).every((fault) => fault === null)) onSubmit(form);
  };

  return (
    <Form onSubmit={submit}>
      <Failure error={error} />
      {isNew ? (
        <Field label="Kind">
          <Select items={KINDS} value={form.kind} onValueChange={(kind) => change({ kind })} />
        </Field>
      ) : null}
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Name" error={isAsked ? faults.name : null}>
          <Input
            autoComplete="off"
            maxLength={120}
            value={form.name}
            onChange={({ target }) => change({ name: target.value, ...(isOwnId ? {} : { id: idFrom(target.value) }) })}
          />
        </Field>
        <Field
          label="ID"
          hint={isNew ? "Prefix of its model IDs, as in acme:model." : "Part of its model IDs. It can't be changed."}
          error={isAsked ? faults.id : null}
        >
          <Input
            autoComplete="off"
            className="font-mono"
            maxLength={40}
            readOnly={!isNew}
            value={form.id}
            onChange={({ target }) => {
              setIsOwnId(true);
              change({ id: target.value });
            }}
          />
        </Field>
      </div>
      <Field
        label="Base URL"
        hint={usual === null ? "Including the version, such as https://models.example.com/v1." : `Leave empty for ${usual}.`}
        error={isAsked ? faults.baseUrl : null}
      >
        <Input
          autoComplete="off"
          inputMode="url"
          className="font-mono"
          placeholder={usual ?? "https://…"}
          maxLength={2_000}
          value={form.baseUrl}
          onChange={({ target }) => change({ baseUrl: target.value })}
        />
      </Field>
      <Checkbox checked={form.allowLocal} disabled={form.baseUrl.trim() === ""} onCheckedChange={(allow) => change({ allowLocal: allow })}>
        Allow local addresses
        <span className="block text-xs text-muted">For a model server on your network. All others must use public HTTPS.</span>
      </Checkbox>
      {form.allowLocal && form.baseUrl.trim() !== "" ? (
        <Callout kind="tainted" title="This allows access to the network around the installation">
          {describeLocalOpening(form.baseUrl)}
        </Callout>
      ) : null}
      <Field label={hasKey ? "New key" : "Key"} hint={keyHint(form.kind, hasKey)} error={isAsked ? faults.key : null}>
        <Input
          type="password"
          autoComplete="off"
          className="font-mono"
          maxLength={2_000}
          value={form.key}
          onChange={({ target }) => change({ key: target.value })}
        />
      </Field>
      <div className="flex justify-end gap-2 border-t pt-3">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" pending={pending}>
          {isNew ? "Add provider" : "Save"}
        </Button>
      </div>
    </Form>
  );
};

export const toFields = ({ name, baseUrl: url, allowLocal: local }: ProviderForm) => {
  const address = url.trim();

  return { name: name.trim(), base_url: address === "" ? null : address, allow_local: local && address !== "" };
};

export const getKey = ({ key }: ProviderForm): string | null => (key === "" ? null : key);
