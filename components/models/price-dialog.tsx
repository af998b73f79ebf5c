"use client";

import { z } from "zod";
import { Button } from "@/components/ui/button";
import { DialogButton } from "@/components/ui/dialog-button";
import { Form, FormActions, TextField, useZodForm } from "@/components/ui/form";
import { priceOverrideSchema } from "@/lib/model-price";
import type { ModelView } from "@/server/trpc/routers/models/settings";
import { useModelChange } from "./use-models";

const { input_usd_per_million: inputRate, output_usd_per_million: outputRate, source, as_of: day } = priceOverrideSchema.shape;
const OPTIONAL = "Enter an amount such as 0.25, or nothing.";

/** Empty is not zero. */
const amountOf = (schema: z.ZodType<number>, fault: string) =>
  z
    .string()
    .trim()
    .regex(/^\d+(?:\.\d+)?$/u, fault)
    .transform(Number)
    .refine((amount) => schema.safeParse(amount).success, fault);

const optionalAmount = z.union([z.literal("").transform(() => undefined), amountOf(inputRate, OPTIONAL)], OPTIONAL);

const checked = (schema: z.ZodType, fault: string) => z.string().refine((text) => schema.safeParse(text).success, fault);

const formSchema = z.strictObject({
  input: amountOf(inputRate, "Enter an amount such as 2.5, or 0 if free."),
  output: amountOf(outputRate, "Enter an amount such as 10, or 0 if free."),
  read: optionalAmount,
  write: optionalAmount,
  source: checked(source, "Required."),
  day: checked(day, "Enter a date such as 2026-11-22."),
});

const toTexts = ({ override }: ModelView): z.input<typeof formSchema> => ({
  input: String(override?.input_usd_per_million ?? ""),
  output: String(override?.output_usd_per_million ?? ""),
  read: String(override?.cache_read_usd_per_million ?? ""),
  write: String(override?.cache_write_usd_per_million ?? ""),
  source: override?.source ?? "",
  day: override?.as_of ?? new Date().toISOString().slice(0, 10),
});

const PriceForm = ({ model, close }: { readonly model: ModelView; readonly close: () => void }) => {
  const { send, isPending, error } = useModelChange();
  const form = useZodForm(formSchema, toTexts(model));
  const target = { type: "set_price", model: model.id, revision: model.revision } as const;
  const submit = form.handleSubmit(({ input, output, read, write, source: from, day: asOf }) =>
    send(
      {
        ...target,
        price: priceOverrideSchema.parse({
          input_usd_per_million: input,
          output_usd_per_million: output,
          ...(read === undefined ? {} : { cache_read_usd_per_million: read }),
          ...(write === undefined ? {} : { cache_write_usd_per_million: write }),
          source: from,
          as_of: asOf,
        }),
      },
      "Price saved.",
      close,
    ),
  );

  return (
    <Form onSubmit={submit} error={error}>
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField form={form} name="input" label="Input (USD per million tokens)" inputMode="decimal" className="tabular" />
        <TextField form={form} name="output" label="Output (USD per million tokens)" inputMode="decimal" className="tabular" />
        <TextField form={form} name="read" label="Cached input" hint="If empty, as input." inputMode="decimal" className="tabular" />
        <TextField
          form={form}
          name="write"
          label="Input written to the cache"
          hint="If empty, as input."
          inputMode="decimal"
          className="tabular"
        />
      </div>
      <TextField
        form={form}
        name="source"
        label="Source"
        hint="Where the price can be looked up, such as a contract or a page."
        maxLength={200}
      />
      <TextField form={form} name="day" label="Price date" type="date" className="tabular" />
      <FormActions submit="Save price" pending={isPending ? "Committing…" : null} onCancel={close}>
        {model.override ? (
          <Button
            variant="ghost"
            className="mr-auto"
            onClick={() => send({ ...target, price: null }, "Price reset to the price list.", close)}
          >
            Use price list
          </Button>
        ) : null}
      </FormActions>
    </Form>
  );
};

type Props = { readonly model: ModelView; readonly reason: string | null };

export const PriceDialog = ({ model, reason }: Props) => (
  <DialogButton
    label="Set price…"
    name={`Set price of ${model.id}`}
    variant="ghost"
    buttonSize="sm"
    disabledReason={reason}
    title={`Price of ${model.id}`}
    description="Takes precedence over the price list and applies from the next call."
  >
    {(close) => <PriceForm model={model} close={close} />}
  </DialogButton>
);
