"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Controller } from "react-hook-form";
import { useTRPC } from "@/components/trpc/trpc";
import { CheckboxGroup } from "@/components/ui/checkbox-group";
import { Field } from "@/components/ui/field";
import { Form, FormActions, SelectField, TextField, useZodForm } from "@/components/ui/form";
import { Select } from "@/components/ui/select";
import { RUN_STATUS_LABELS } from "@/components/values/run-status";
import { endStatusSchema } from "@/lib/engine/event";
import { CHAT_TYPES, ENDPOINT_FORMATS, endpointFieldsSchema, type EndpointFields } from "@/lib/webhooks/endpoint";
import { WEBHOOK_TYPES, type WebhookType } from "@/lib/webhooks/types";
import { EVENTS, FORMATS } from "./labels";

export const NO_ENDPOINT: EndpointFields = {
  url: "",
  description: "",
  types: ["approval.requested", "approval.resolved"],
  format: "signed",
  groupName: null,
  graphIds: [],
  statuses: [],
};

const FORMAT_ITEMS = ENDPOINT_FORMATS.map((value) => ({ value, label: FORMATS[value].label }));
const EVERYONE = "everyone";
/** Apart from `EVERYONE`. */
const ofGroup = (name: string): string => `group ${name}`;

const choicesOf = (types: readonly WebhookType[]) => types.map((value) => ({ value, ...EVENTS[value] }));

const STATUSES = endStatusSchema.options.map((value) => ({ value, label: RUN_STATUS_LABELS[value] }));

type Props = {
  readonly initial: EndpointFields;
  readonly submit: string;
  readonly pending: string | null;
  readonly error: unknown;
  readonly onSubmit: (fields: EndpointFields) => void;
  readonly onCancel: () => void;
};

type GroupProps = {
  readonly names: readonly string[];
  readonly value: string | null;
  readonly onChange: (name: string | null) => void;
};

const GroupField = ({ names, value, onChange }: GroupProps) => (
  <Field label="Requests of" hint="A group's endpoint gets only requests that name the group.">
    <Select
      items={[{ value: EVERYONE, label: "Everyone" }, ...names.map((name) => ({ value: ofGroup(name), label: name }))]}
      value={value === null ? EVERYONE : ofGroup(value)}
      onValueChange={(next) => onChange(names.find((name) => ofGroup(name) === next) ?? null)}
    />
  </Field>
);

export const EndpointForm = ({
  initial: { url, description, types, format, groupName, graphIds, statuses },
  submit,
  pending,
  error,
  onSubmit,
  onCancel,
}: Props) => {
  const form = useZodForm(endpointFieldsSchema, { url, description, types: [...types], format, groupName, graphIds, statuses });
  const graphs = useQuery(useTRPC().graphs.list.queryOptions()).data ?? [];
  const [isFiltered, setFiltered] = useState(graphIds.length + statuses.length > 0);
  const { data: groups = [] } = useQuery(useTRPC().approvers.groups.list.queryOptions());
  const names = [...new Set([...groups.map(({ name }) => name), ...(groupName === null ? [] : [groupName])])];
  const chosen = form.watch("format") ?? "signed";

  return (
    <Form onSubmit={form.handleSubmit((fields) => onSubmit(fields))} error={error}>
      <SelectField form={form} name="format" label="Sent as" items={FORMAT_ITEMS} hint={FORMATS[chosen].hint} />
      <TextField
        form={form}
        name="url"
        label="Address"
        hint="Public https addresses only. Redirects are not followed."
        inputMode="url"
        placeholder="https://…"
        maxLength={2_000}
      />
      <TextField form={form} name="description" label="Description" hint="For people: owner and purpose." maxLength={200} />
      <Controller
        control={form.control}
        name="groupName"
        render={({ field: { value, onChange } }) => <GroupField names={names} value={value ?? null} onChange={onChange} />}
      />
      <Controller
        control={form.control}
        name="types"
        render={({ field: { value, onChange }, fieldState: { error: fault } }) => (
          <CheckboxGroup
            legend="Events to send"
            choices={choicesOf(chosen === "signed" ? WEBHOOK_TYPES : CHAT_TYPES)}
            value={value}
            error={fault?.message}
            onChange={onChange}
          />
        )}
      />
      <details open={isFiltered} onToggle={(event) => setFiltered(event.currentTarget.open)} className="text-sm">
        <summary className="cursor-pointer font-medium">Filters</summary>
        <div className="mt-2 flex flex-col gap-4">
          <Controller
            control={form.control}
            name="statuses"
            render={({ field: { value = [], onChange } }) => (
              <CheckboxGroup legend="Run ended: only with status" choices={STATUSES} value={value} onChange={onChange} />
            )}
          />
          <Controller
            control={form.control}
            name="graphIds"
            render={({ field: { value = [], onChange } }) => (
              <CheckboxGroup
                legend="Only runs and approvals of"
                choices={graphs.map(({ id, name }) => ({ value: id, label: name }))}
                value={value}
                onChange={onChange}
              />
            )}
          />
          <p className="text-xs text-muted">Nothing selected: all of them.</p>
        </div>
      </details>
      <FormActions submit={submit} pending={pending} onCancel={onCancel} />
    </Form>
  );
};
