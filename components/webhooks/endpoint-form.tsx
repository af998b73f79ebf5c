"use client";

import { Controller } from "react-hook-form";
import { CheckboxGroup } from "@/components/ui/checkbox-group";
import { Form, FormActions, TextField, useZodForm } from "@/components/ui/form";
import { endpointFieldsSchema, type EndpointFields } from "@/lib/webhooks/endpoint";
import { WEBHOOK_TYPES, type WebhookType } from "@/lib/webhooks/types";
import { EVENTS } from "./labels";

export const NO_ENDPOINT: EndpointFields = { url: "", description: "", types: ["approval.requested", "approval.resolved"] };

const CHOICES = WEBHOOK_TYPES.map((value) => ({ value, ...EVENTS[value] }));

type Props = {
  readonly initial: Omit<EndpointFields, "types"> & { readonly types: readonly WebhookType[] };
  readonly submit: string;
  readonly pending: string | null;
  readonly error: unknown;
  readonly onSubmit: (fields: EndpointFields) => void;
  readonly onCancel: () => void;
};

export const EndpointForm = ({ initial: { url, description, types }, submit, pending, error, onSubmit, onCancel }: Props) => {
  const form = useZodForm(endpointFieldsSchema, { url, description, types: [...types] });

  return (
    <Form onSubmit={form.handleSubmit((fields) => onSubmit(fields))} error={error}>
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
        name="types"
        render={({ field: { value, onChange }, fieldState: { error: fault } }) => (
          <CheckboxGroup legend="Events to send" choices={CHOICES} value={value} error={fault?.message} onChange={onChange} />
        )}
      />
      <FormActions submit={submit} pending={pending} onCancel={onCancel} />
    </Form>
  );
};
