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

/** An empty field is no zero. */
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
    if (parsed.success) send({ ...target, price: parsed.data }, "The price is set.");
  };

  return (
    <Form onSubmit={submit}>
      <Failure error={error} />
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="In, USD per million tokens" error={fault("input_usd_per_million", "An amount, such as 2.5; 0 is free.")}>
          <Input inputMode="decimal" className="tabular" value={texts.input} onChange={(event) => change({ input: event.target.value })} />
        </Field>
        <Field label="Out, USD per million tokens" error={fault("output_usd_per_million", "An amount, such as 10; 0 is free.")}>
          <Input
            inputMode="decimal"
            className="tabular"
            value={texts.output}
            onChange={(event) => change({ output: event.target.value })}
          />
        </Field>
      </div>
      <Field
        label="Source"
        hint="A contract, a page: where somebody can look it up."
        error={fault("source", "Say where the price is from.")}
      >
        <Input autoComplete="off" maxLength={200} value={texts.source} onChange={(event) => change({ source: event.target.value })} />
      </Field>
      <Field label="Of the day" error={fault("as_of", "A day, such as 2026-11-22.")}>
        <Input type="date" className="tabular" value={texts.day} onChange={(event) => change({ day: event.target.value })} />
      </Field>
      <div className="flex justify-end gap-2 border-t pt-3">
        {model.override ? (
          <Button variant="ghost" className="mr-auto" onClick={() => send({ ...target, price: null }, "The price is the list's again.")}>
            Back to the price list
          </Button>
        ) : null}
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" variant="primary" pending={isPending ? "Committing…" : null}>
          Set the price
        </Button>
      </div>
    </Form>
  );
};

/** A price of the workspace's own, with where it is from and of which day. */
export const PriceDialog = ({ model, reason }: Props) => {
  const [isOpen, setIsOpen] = useState(false);

  return (
    <>
      <Button size="sm" variant="ghost" disabledReason={reason} aria-label={`Price of ${model.id}`} onClick={() => setIsOpen(true)}>
        Price…
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setIsOpen}
        title={`Price of ${model.id}`}
        description="It goes before the price list, counts cached tokens as others, and holds from the next call on."
      >
        {isOpen ? <PriceForm model={model} onDone={() => setIsOpen(false)} /> : null}
      </Dialog>
    </>
  );
};
