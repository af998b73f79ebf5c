"use client";

import { useWatch } from "react-hook-form";
import { z } from "zod";
import { DialogButton } from "@/components/ui/dialog-button";
import { Form, FormActions, TextField, useZodForm } from "@/components/ui/form";
import { modelIdSchema } from "@/lib/model-provider";
import type { ProviderView } from "@/server/trpc/routers/models/settings";
import { useModelChange } from "./use-models";

type Props = { readonly provider: ProviderView; readonly disabledReason: string | null };

const MODEL_FAULT = "Use letters, digits and . _ : / @ + -, at most 120 characters with the provider's ID.";

const AddForm = ({ provider: { id }, close }: { readonly provider: ProviderView; readonly close: () => void }) => {
  const { send, isPending, error } = useModelChange();
  const toModelId = (name: string) => `${id}:${name.trim()}`;
  const schema = z.strictObject({ name: z.string().refine((name) => modelIdSchema.safeParse(toModelId(name)).success, MODEL_FAULT) });
  const form = useZodForm(schema, { name: "" });
  const name = useWatch({ control: form.control, name: "name" });

  return (
    <Form
      onSubmit={form.handleSubmit((fields) => send({ type: "add_model", model: toModelId(fields.name) }, "Model added.", close))}
      error={error}
    >
      <TextField
        form={form}
        name="name"
        label="Model"
        hint={`As the provider names it. Its ID here is ${toModelId(name.trim() || "…")}`}
        className="font-mono"
        maxLength={119}
      />
      <FormActions submit="Add model" pending={isPending ? "Committing…" : null} onCancel={close} />
    </Form>
  );
};

export const AddModel = ({ provider, disabledReason }: Props) => (
  <DialogButton
    label="Add model…"
    variant="ghost"
    buttonSize="sm"
    disabledReason={disabledReason}
    title={`Add a model from ${provider.name}`}
    description="It can be selected right away. It can be called once it has a price, from the price list or your own."
  >
    {(close) => <AddForm provider={provider} close={close} />}
  </DialogButton>
);
