"use client";

import { useMutation } from "@tanstack/react-query";
import { z } from "zod";
import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { DialogButton } from "@/components/ui/dialog-button";
import { Form, FormActions, SelectField, TextField, useZodForm } from "@/components/ui/form";
import { outputClearanceSchema, outputsGrantSchema } from "@/lib/webhooks/outputs";
import type { EndpointView } from "@/server/trpc/routers/webhooks/list";

const listPaths = (text: string): string[] => text.split(/[\s,]+/u).filter(Boolean);

const formSchema = z.strictObject({
  paths: z
    .string()
    .max(4_000)
    .refine(
      (text) => outputsGrantSchema.shape.outputs.safeParse(listPaths(text)).success,
      "Enter at most 20 memory keys, such as answer or customer.plan.",
    ),
  clearance: outputClearanceSchema,
});

const CLEARANCES = [
  { value: "public", label: "Public" },
  { value: "internal", label: "Public and internal" },
  { value: "pii", label: "Public, internal and personal data" },
] as const;

type Props = { readonly endpoint: EndpointView; readonly disabledReason: string | null };

export const OutputsDialog = ({ endpoint: { id, outputs, clearance }, disabledReason }: Props) => {
  const trpc = useTRPC();
  const save = useMutation(trpc.webhooks.setOutputs.mutationOptions({ onSuccess: useRefresh(trpc.webhooks.pathFilter()) }));
  const form = useZodForm(formSchema, { paths: outputs.join(", "), clearance });

  return (
    <DialogButton
      label="Values…"
      variant="ghost"
      disabledReason={disabledReason}
      title="Values to send"
      description="When a run ends, these values go along. The grant is recorded in the ledger and ends when the address changes."
      onOpen={save.reset}
    >
      {(close) => (
        <Form
          error={save.error}
          onSubmit={form.handleSubmit(({ paths, clearance: admitted }) =>
            save.mutate({ endpointId: id, outputs: listPaths(paths), clearance: admitted }, { onSuccess: close }),
          )}
        >
          <TextField
            form={form}
            name="paths"
            label="Memory keys"
            hint="Separated by commas. Empty: none."
            placeholder="answer, customer.plan"
            maxLength={4_000}
          />
          <SelectField
            form={form}
            name="clearance"
            label="Admit"
            items={CLEARANCES}
            hint="More confidential values stay here. Secrets never leave."
          />
          <FormActions submit="Save" pending={save.isPending ? "Saving…" : null} onCancel={close} />
        </Form>
      )}
    </DialogButton>
  );
};
