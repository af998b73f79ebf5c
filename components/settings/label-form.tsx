"use client";

import { z } from "zod";
import { Form, FormActions, TextField, useZodForm } from "@/components/ui/form";
import { visibleNameSchema } from "@/lib/visible-name";

const MOST_CHARACTERS = 100;

const formSchema = z.strictObject({ label: visibleNameSchema(MOST_CHARACTERS, "Enter a name.") });

type Props = {
  readonly initial: string;
  readonly submit: string;
  readonly pending: string | null;
  readonly error: unknown;
  readonly onSubmit: (label: string) => unknown;
  readonly onCancel: () => void;
};

export const LabelForm = ({ initial, onSubmit, error, ...actions }: Props) => {
  const form = useZodForm(formSchema, { label: initial });

  return (
    <Form onSubmit={form.handleSubmit(({ label }) => onSubmit(label))} error={error}>
      <TextField form={form} name="label" label="Name" hint="Shown only to you. Name the device or key." maxLength={MOST_CHARACTERS} />
      <FormActions {...actions} />
    </Form>
  );
};
