"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Field } from "@/components/ui/field";
import { Mark } from "@/components/ui/marks/mark";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import { getDefaultModel } from "@/lib/model-info";

export type Wish = { readonly description: string; readonly pasted: string; readonly model: string };

type Props = {
  readonly label: string;
  readonly placeholder: string;
  readonly submitLabel: string;
  readonly onSubmit: (wish: Wish) => void;
  readonly pending: boolean;
  readonly error: unknown;
};

const MOST_DESCRIPTION = 4_000;
const MOST_PASTED = 40_000;

export const WishForm = ({ label, placeholder, submitLabel, onSubmit, pending, error }: Props) => {
  const models = useQuery(useTRPC().models.list.queryOptions());
  const [description, setDescription] = useState("");
  const [pasted, setPasted] = useState("");
  const [chosen, setChosen] = useState<string | null>(null);
  const model = chosen ?? getDefaultModel(models.data ?? [], "architect");
  const failure = error ?? models.error;
  const missing = description.trim() === "" ? "Describe it first" : model === null ? "No runner has reported its models yet" : null;

  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (missing === null && model !== null && !pending) onSubmit({ description: description.trim(), pasted, model });
      }}
    >
      {failure ? <Callout kind="refused" alert title={toApiError(failure).message} /> : null}
      <Field label={label} hint="Your instructions to the model.">
        <Textarea
          rows={4}
          value={description}
          maxLength={MOST_DESCRIPTION}
          placeholder={placeholder}
          onChange={(event) => setDescription(event.target.value)}
        />
      </Field>
      <Field
        label={
          <span className="inline-flex items-center gap-2">
            Pasted material (optional) <Mark kind="tainted">Untrusted</Mark>
          </span>
        }
        hint="Emails, pages or notes by others. The model treats it as data, not as instructions, and the draft is marked accordingly."
      >
        <Textarea rows={3} value={pasted} maxLength={MOST_PASTED} onChange={(event) => setPasted(event.target.value)} />
      </Field>
      <Field label="Model" hint="A scripted model follows a fixed script. It needs no key and costs nothing.">
        <Select
          items={(models.data ?? []).map((item) => ({ value: item.id, label: item.label }))}
          value={model}
          placeholder="No model"
          onValueChange={setChosen}
        />
      </Field>
      <p className="text-xs text-muted">
        You get a proposal, not a published graph. Wildcards, unlimited loops and effects without an approval are rejected automatically.
      </p>
      <div className="flex justify-end border-t pt-3">
        <Button type="submit" variant="primary" disabledReason={missing} pending={pending ? "Starting…" : null}>
          {submitLabel}
        </Button>
      </div>
    </form>
  );
};
