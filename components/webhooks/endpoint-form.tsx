"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { Form } from "@/components/ui/form";
import { Input } from "@/components/ui/input";
import { WEBHOOK_TYPES, type WebhookType } from "@/lib/webhooks/types";
import { Failure } from "@/components/ui/failure";
import { EVENTS } from "./labels";

export type EndpointFields = { readonly url: string; readonly description: string; readonly types: readonly WebhookType[] };

export const NO_ENDPOINT: EndpointFields = { url: "", description: "", types: ["approval.requested", "approval.resolved"] };

type Props = {
  readonly initial: EndpointFields;
  readonly submitLabel: string;
  readonly pending: string | null;
  readonly error: unknown;
  readonly onSubmit: (fields: { url: string; description: string; types: WebhookType[] }) => void;
  readonly onCancel: () => void;
};

export const EndpointForm = ({ initial, submitLabel, pending, error, onSubmit, onCancel }: Props) => {
  const [url, setUrl] = useState(initial.url);
  const [description, setDescription] = useState(initial.description);
  const [types, setTypes] = useState(initial.types);
  const [isAsked, setIsAsked] = useState(false);
  const missing = { url: url.trim() === "", types: types.length === 0 };
  const submit = () => {
    setIsAsked(true);
    if (!missing.url && !missing.types) onSubmit({ url, description, types: [...types] });
  };

  return (
    <Form onSubmit={submit}>
      <Failure error={error} />
      <Field
        label="Address"
        hint="Public https addresses only. Redirects are not followed."
        error={isAsked && missing.url ? "Required." : null}
      >
        <Input
          autoComplete="off"
          inputMode="url"
          placeholder="https://…"
          maxLength={2_000}
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
      </Field>
      <Field label="Description" hint="For people: owner and purpose.">
        <Input autoComplete="off" maxLength={200} value={description} onChange={(event) => setDescription(event.target.value)} />
      </Field>
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1 text-sm font-medium">Events to send</legend>
        <div className="grid gap-2 sm:grid-cols-2">
          {WEBHOOK_TYPES.map((type) => (
            <Checkbox
              key={type}
              checked={types.includes(type)}
              onCheckedChange={(isIn) => setTypes(isIn ? [...types, type] : types.filter((each) => each !== type))}
            >
              {EVENTS[type].label}
              <span className="block text-xs text-muted">{EVENTS[type].hint}</span>
            </Checkbox>
          ))}
        </div>
        {isAsked && missing.types ? (
          <p role="alert" className="text-xs text-refused">
            Select at least one event.
          </p>
        ) : null}
      </fieldset>
      <div className="flex justify-end gap-2 border-t pt-3">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" pending={pending}>
          {submitLabel}
        </Button>
      </div>
    </Form>
  );
};
