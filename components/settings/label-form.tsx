"use client";

import { useState, type FormEvent } from "react";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";

type Props = {
  readonly initial: string;
  readonly submitLabel: string;
  readonly pending: string | null;
  readonly failure: string | null;
  readonly onSubmit: (label: string) => void;
  readonly onCancel: () => void;
};

const MOST_CHARACTERS = 100;

export const LabelForm = ({ initial, submitLabel, pending, failure, onSubmit, onCancel }: Props) => {
  const [label, setLabel] = useState(initial);
  const isEmpty = label.trim() === "";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isEmpty && pending === null) onSubmit(label.trim());
  };

  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field label="Name" hint="Shown only to you. Name the device or key.">
        <Input value={label} maxLength={MOST_CHARACTERS} autoComplete="off" onChange={(event) => setLabel(event.currentTarget.value)} />
      </Field>
      {failure ? <Callout kind="refused" alert title={failure} /> : null}
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" pending={pending} disabledReason={isEmpty ? "Enter a name" : null}>
          {submitLabel}
        </Button>
      </div>
    </form>
  );
};
