"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Form } from "@/components/ui/form";
import { Input } from "@/components/ui/input";
import { Failure } from "@/components/ui/failure";
import { priceOverrideSchema } from "@/lib/model-price";
import type { ModelView } from "@/server/trpc/routers/models/settings";
import { useModelChange } from "./use-models";

type Props = { readonly model: ModelView; readonly reason: string | null };

type Texts = { readonly input: string; readonly output: string; readonly source: string; readonly day: string };

const textsOf = ({ override }: ModelView): Texts =>
  override
    ? {
        input: String(override.input_usd_per_million),
        output: String(override.output_usd_per_million),
        source: override.source,
        day: override.as_of,
      }
    : { input: "", output: "", source: "", day: new Date().toISOString().slice(0, 10) };

/** Empty is not zero. */
const amount = (text: string): number => (/^\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text) : Number.NaN);

const PriceForm = ({ model, onDone }: { readonly model: ModelView; readonly onDone: () => void }) => {
  const [texts, setTexts] = useState(() => textsOf(model));
  const [isAsked, setIsAsked] = useState(false);
  const { send, isPending, error } = useModelChange(onDone);
  const parsed = priceOverrideSchema.safeParse({
    input_usd_per_million: amount(texts.input),
    output_usd_per_million: amount(texts.output),
    source: texts.source,
    as_of: texts.day,
  });
  const wrong = new Set(parsed.success ? [] : parsed.error.issues.map(({ path }) => path[0]));
  const fault = (field: string, sentence: string) => (isAsked && wrong.has(field) ? sentence : null);
  const change = (part: Partial<Texts>) => setTexts((before) => ({ ...before, ...part }));
  const target = { type: "set_price", model: model.id, revision: model.revision } as const;
  const submit = () => {
    setIsAsked(true);
    if (parsed.success) send({ ...target, price: parsed.data }, "Price saved.");
  };

  return (
    <Form onSubmit={submit}>
      <Failure error={error} />
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Input (USD per million tokens)" error={fault("input_usd_per_million", "Enter an amount such as 2.5, or 0 if free.")}>
          <Input inputMode="decimal" className="tabular" value={texts.input} onChange={(event) => change({ input: event.target.value })} />
        </Field>
        <Field label="Output (USD per million tokens)" error={fault("output_usd_per_million", "Enter an amount such as 10, or 0 if free.")}>
          <Input
            inputMode="decimal"
            className="tabular"
            value={texts.output}
            onChange={(event) => change({ output: event.target.value })}
          />
        </Field>
      </div>
      <Field label="Source" hint="Where the price can be looked up, such as a contract or a page." error={fault("source", "Required.")}>
        <Input autoComplete="off" maxLength={200} value={texts.source} onChange={(event) => change({ source: event.target.value })} />
      </Field>
      <Field label="Price date" error={fault("as_of", "Enter a date such as 2026-11-22.")}>
        <Input type="date" className="tabular" value={texts.day} onChange={(event) => change({ day: event.target.value })} />
      </Field>
      <div className="flex justify-end gap-2 border-t pt-3">
        {model.override ? (
          <Button variant="ghost" className="mr-auto" onClick={() => send({ ...target, price: null }, "Price reset to the price list.")}>
            Use price list
          </Button>
        ) : null}
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" variant="primary" pending={isPending ? "Committing…" : null}>
          Save price
        </Button>
      </div>
    </Form>
  );
};

export const PriceDialog = ({ model, reason }: Props) => {
  const [isOpen, setIsOpen] = useState(false);

  return (
    <>
      <Button size="sm" variant="ghost" disabledReason={reason} aria-label={`Set price of ${model.id}`} onClick={() => setIsOpen(true)}>
        Set price…
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setIsOpen}
        title={`Price of ${model.id}`}
        description="Takes precedence over the price list and applies from the next call. Cached tokens cost the same as others."
      >
        {isOpen ? <PriceForm model={model} onDone={() => setIsOpen(false)} /> : null}
      </Dialog>
    </>
  );
};
