"use client";

import { z } from "zod";
import { DialogButton } from "@/components/ui/dialog-button";
import { Field } from "@/components/ui/field";
import { Form, FormActions, TextField, useZodForm } from "@/components/ui/form";
import { Textarea } from "@/components/ui/textarea";
import { notify } from "@/components/ui/toast";
import { useAttempt } from "@/components/ui/use-attempt";
import { chosenSecretNameSchema, secretValueSchema } from "@/lib/secrets/reference";
import { useSecrets } from "./use-secrets";

const formSchema = z.strictObject({ name: chosenSecretNameSchema, value: z.string().trim().pipe(secretValueSchema) });
/** Ours may have reserved names. */
const replacementSchema = formSchema.extend({ name: z.string() });

type FieldsProps = { readonly name: string | null; readonly close: () => void };

const SecretFields = ({ name, close }: FieldsProps) => {
  const { putAll } = useSecrets();
  const { attempt, isPending, error } = useAttempt();
  const form = useZodForm(name === null ? formSchema : replacementSchema, { name: name ?? "", value: "" });
  const submit = form.handleSubmit(async (secret) => {
    if (!(await attempt(() => putAll([secret])))) return;
    notify({ title: "Secret stored. Its value can't be shown again." });
    close();
  });

  return (
    <Form onSubmit={submit} error={error}>
      {name === null ? (
        <TextField
          form={form}
          name="name"
          label="Name"
          hint="Settings refer to the secret by this name."
          spellCheck={false}
          className="font-mono"
        />
      ) : null}
      <Field label="Value" hint="Leading and trailing spaces are removed." error={form.formState.errors.value?.message}>
        <Textarea
          rows={3}
          autoComplete="off"
          spellCheck={false}
          className="font-mono [-webkit-text-security:disc]"
          {...form.register("value")}
        />
      </Field>
      <FormActions submit={name === null ? "Store" : "Replace"} pending={isPending ? "Storing…" : null} onCancel={close} />
    </Form>
  );
};

type Props = {
  /** Null: a new one. */
  readonly name: string | null;
  readonly trigger: string;
  readonly disabledReason: string | null;
};

export const SecretForm = ({ name, trigger, disabledReason }: Props) => (
  <DialogButton
    label={trigger}
    name={name === null ? trigger : `${trigger.replace("…", "")} ${name}`}
    buttonSize="sm"
    disabledReason={disabledReason}
    title={name === null ? "Store a secret" : `Replace ${name}`}
    description={
      name === null
        ? "Stored encrypted. Settings refer to it by name; its value is never shown again."
        : "New connections use the new value. The old value is deleted."
    }
  >
    {(close) => <SecretFields name={name} close={close} />}
  </DialogButton>
);
