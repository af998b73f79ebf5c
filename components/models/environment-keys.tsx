"use client";

import { useWatch } from "react-hook-form";
import { z } from "zod";
import { Button } from "@/components/ui/button";
import { DialogButton } from "@/components/ui/dialog-button";
import { Form, FormActions, SelectField, TextField, useZodForm } from "@/components/ui/form";
import type { Environment } from "@/lib/environments/environment";
import { providerKeySchema } from "@/lib/model-provider";
import type { ProviderView } from "@/server/trpc/routers/models/settings";
import { useModelChange } from "./use-models";

type Props = { readonly provider: ProviderView; readonly environments: readonly Environment[] };

const formSchema = z.strictObject({ environment: z.string(), key: providerKeySchema });

const describeKey = ({ hasKey, keyEnvironments }: ProviderView, environment: string): string => {
  if (keyEnvironments.includes(environment)) return "Runs here use a key of their own.";

  return hasKey ? "Runs here use the provider's key." : "Runs here have no key.";
};

const KeyForm = ({ provider, environments, close }: Props & { readonly close: () => void }) => {
  const { send, isPending, error } = useModelChange();
  const form = useZodForm(formSchema, { environment: environments[0]?.id ?? "", key: "" });
  const environment = useWatch({ control: form.control, name: "environment" });
  const hasOwn = provider.keyEnvironments.includes(environment);
  const change = (key: string | null, done: string) =>
    send({ type: "set_environment_key", id: provider.id, revision: provider.revision, environment, key }, done, close);

  return (
    <Form onSubmit={form.handleSubmit(({ key }) => change(key, "Key stored. It can't be shown again."))} error={error}>
      <SelectField
        form={form}
        name="environment"
        label="Environment"
        hint={describeKey(provider, environment)}
        items={environments.map(({ id, title }) => ({ value: id, label: title }))}
      />
      <TextField
        form={form}
        name="key"
        label={hasOwn ? "New key" : "Key"}
        hint="Stored encrypted. It is never shown or logged."
        type="password"
        className="font-mono"
        maxLength={2_000}
      />
      <FormActions submit="Store key" pending={isPending ? "Committing…" : null} onCancel={close}>
        {hasOwn ? (
          <Button variant="danger" disabledReason={isPending ? "Committing…" : null} onClick={() => change(null, "Key removed.")}>
            Remove key
          </Button>
        ) : null}
      </FormActions>
    </Form>
  );
};

export const EnvironmentKeys = ({ disabledReason, ...props }: Props & { readonly disabledReason: string | null }) => (
  <DialogButton
    label="Keys…"
    name={`Keys of ${props.provider.name} by environment`}
    variant="ghost"
    buttonSize="sm"
    disabledReason={disabledReason}
    title={`Keys of ${props.provider.name} by environment`}
    description="Runs in an environment use its key, and the provider's where it has none. Tests and the architect use the provider's."
  >
    {(close) => <KeyForm {...props} close={close} />}
  </DialogButton>
);
