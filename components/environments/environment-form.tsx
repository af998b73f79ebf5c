"use client";

import { SignatureNote } from "@/components/passkeys/signature-note";
import { Form, FormActions, TextField, useZodForm } from "@/components/ui/form";
import { environmentSchema, type Environment } from "@/lib/environments/environment";
import { useSetEnvironments } from "./use-set-environments";

type Props = {
  /** Null: a new one, first in order. */
  readonly environment: Environment | null;
  readonly all: readonly Environment[];
  readonly onDone: () => void;
};

const formSchema = environmentSchema.extend({
  id: environmentSchema.shape.id.regex(/^[a-zA-Z]/, "Begin with a letter, then use letters, digits, hyphens or underscores."),
});

export const EnvironmentForm = ({ environment, all, onDone }: Props) => {
  const form = useZodForm(formSchema, environment ? { id: environment.id, title: environment.title } : { id: "", title: "" });
  const set = useSetEnvironments(all);
  const save = async (next: Environment): Promise<void> => {
    await set.mutateAsync(environment ? all.map((one) => (one.id === environment.id ? next : one)) : [next, ...all]);
    onDone();
  };

  return (
    <Form onSubmit={form.handleSubmit((next) => save(next).catch(() => undefined))} error={set.error}>
      <TextField form={form} name="title" label="Title" maxLength={60} />
      {environment ? null : (
        <TextField form={form} name="id" label="Id" hint="Records and programs refer to it, so it can't be changed later." maxLength={64} />
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
