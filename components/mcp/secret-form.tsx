"use client";

import { z } from "zod";
import { DialogButton } from "@/components/ui/dialog-button";
import { Field } from "@/components/ui/field";
import { Form, FormActions, SelectField, TextField, useZodForm } from "@/components/ui/form";
import { Textarea } from "@/components/ui/textarea";
import { notify } from "@/components/ui/toast";
import { useAttempt } from "@/components/ui/use-attempt";
import type { Environment } from "@/lib/environments/environment";
import { chosenSecretNameSchema, secretValueSchema } from "@/lib/secrets/reference";
import { useSecrets } from "./use-secrets";

const SHARED = "*";
export const SHARED_LABEL = "All others";

const formSchema = z.strictObject({
  name: chosenSecretNameSchema,
  environment: z.string(),
  value: z.string().trim().pipe(secretValueSchema),
});
/** Ours may have reserved names. */
const replacementSchema = formSchema.extend({ name: z.string() });

type Chosen = { readonly name: string; readonly environment: string | null } | null;

type FieldsProps = { readonly secret: Chosen; readonly environments: readonly Environment[]; readonly close: () => void };

const SecretFields = ({ secret, environments, close }: FieldsProps) => {
  const { putAll } = useSecrets();
  const { attempt, isPending, error } = useAttempt();
  const known = { name: secret?.name ?? "", environment: secret?.environment ?? SHARED };
  const form = useZodForm(secret === null ? formSchema : replacementSchema, { ...known, value: "" });
  const submit = form.handleSubmit(async ({ environment, ...rest }) => {
    if (!(await attempt(() => putAll([{ ...rest, environment: environment === SHARED ? null : environment }])))) return;
    notify({ title: "Secret stored. Its value can't be shown again." });
    close();
  });

  return (
    <Form onSubmit={submit} error={error}>
      {secret === null ? (
        <TextField
          form={form}
          name="name"
          label="Name"
          hint="Settings refer to the secret by this name."
          spellCheck={false}
          className="font-mono"
        />
      ) : null}
      {environments.length < 2 ? null : (
        <SelectField
          form={form}
          name="environment"
          label="Environment"
          hint="Runs never use another environment's value. The shared one also lists a server's tools."
          items={[{ value: SHARED, label: SHARED_LABEL }, ...environments.map(({ id, title }) => ({ value: id, label: title }))]}
        />
      )}
      <Field label="Value" hint="Leading and trailing spaces are removed." error={form.formState.errors.value?.message}>
        <Textarea
          rows={3}
          autoComplete="off"
          spellCheck={false}
          className="font-mono [-webkit-text-security:disc]"
          {...form.register("value")}
        />
      </Field>
      <FormActions submit={secret === null ? "Store" : "Replace"} pending={isPending ? "Storing…" : null} onCancel={close} />
    </Form>
  );
};

export const nameSecret = ({ name, environment }: NonNullable<Chosen>, environments: readonly Environment[]): string =>
  environment === null ? name : `${name} in ${environments.find(({ id }) => id === environment)?.title ?? environment}`;

type Props = {
  readonly secret: Chosen;
  readonly trigger: string;
  readonly environments: readonly Environment[];
  readonly disabledReason: string | null;
};

export const SecretForm = ({ secret, trigger, environments, disabledReason }: Props) => (
  <DialogButton
    label={trigger}
    name={secret === null ? trigger : `${trigger.replace("…", "")} ${nameSecret(secret, environments)}`}
    buttonSize="sm"
    disabledReason={disabledReason}
    title={secret === null ? "Store a secret" : `Replace ${secret.name}`}
    description={
      secret === null
        ? "Stored encrypted. Settings refer to it by name; its value is never shown again."
        : "New connections use the new value. The old value is deleted."
    }
  >
    {(close) => <SecretFields secret={secret} environments={environments} close={close} />}
  </DialogButton>
);
