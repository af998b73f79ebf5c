"use client";

import { useWatch } from "react-hook-form";
import { z } from "zod";
import { SignatureNote } from "@/components/passkeys/signature-note";
import { Form, FormActions, SelectField, TextField, useZodForm } from "@/components/ui/form";
import { environmentSchema, type Environment } from "@/lib/environments/environment";
import { useSetEnvironments } from "./use-set-environments";

type Props = {
  /** Null: a new one. */
  readonly environment: Environment | null;
  readonly all: readonly Environment[];
  readonly onDone: () => void;
};

const formSchema = environmentSchema.extend({
  id: environmentSchema.shape.id.regex(/^[a-zA-Z]/, "Begin with a letter, then use letters, digits, hyphens or underscores."),
  /** How many come before it. */
  place: z.string(),
});

const explainPlace = (place: number, count: number): string =>
  place === 0
    ? "Versions are published into it from then on."
    : place === count
      ? "Runs start in it by default, once a version is promoted to it."
      : "Versions are promoted to it from the one before.";

export const EnvironmentForm = ({ environment, all, onDone }: Props) => {
  const form = useZodForm(formSchema, { id: environment?.id ?? "", title: environment?.title ?? "", place: String(all.length - 1) });
  const place = Number(useWatch({ control: form.control, name: "place" }));
  const set = useSetEnvironments(all);
  const save = async ({ id, title }: Environment): Promise<void> => {
    await set.mutateAsync(environment ? all.map((one) => (one.id === id ? { id, title } : one)) : all.toSpliced(place, 0, { id, title }));
    onDone();
  };

  return (
    <Form onSubmit={form.handleSubmit((next) => save(next).catch(() => undefined))} error={set.error}>
      <TextField form={form} name="title" label="Title" maxLength={60} />
      {environment ? null : (
        <TextField form={form} name="id" label="Id" hint="Records and programs refer to it, so it can't be changed later." maxLength={64} />
      )}
      {environment ? null : (
        <SelectField
          form={form}
          name="place"
          label="Place in the order of promotion"
          hint={explainPlace(place, all.length)}
          items={[
            { value: "0", label: `First, before ${all[0]?.title ?? ""}` },
            ...all.map(({ title }, at) => ({ value: String(at + 1), label: `After ${title}` })),
          ]}
        />
      )}
      <SignatureNote to={environment ? `rename ${environment.title}` : "add an environment"} />
      <FormActions
        submit={environment ? "Save title" : "Add environment"}
        pending={set.isPending ? "Committing…" : null}
        onCancel={onDone}
      />
    </Form>
  );
};
