"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Form } from "@/components/ui/form";
import { Input } from "@/components/ui/input";
import { Failure } from "@/components/ui/failure";
import { modelIdSchema } from "@/lib/model-provider";
import type { ProviderView } from "@/server/trpc/routers/models/settings";
import { useModelChange } from "./use-models";

type Props = { readonly provider: ProviderView; readonly disabledReason: string | null };

export const AddModel = ({ provider, disabledReason }: Props) => {
  const [isOpen, setIsOpen] = useState(false);
  const [name, setName] = useState("");
  const [isAsked, setIsAsked] = useState(false);
  const setOpen = (next: boolean) => {
    setIsOpen(next);
    setName("");
    setIsAsked(false);
    reset();
  };
  const { send, isPending, error, reset } = useModelChange(() => setIsOpen(false));
  const model = modelIdSchema.safeParse(`${provider.id}:${name.trim()}`);
  const submit = () => {
    setIsAsked(true);
    if (model.success) send({ type: "add_model", model: model.data }, "Model added.");
  };

  return (
    <>
      <Button variant="ghost" size="sm" disabledReason={disabledReason} onClick={() => setOpen(true)}>
        Add model…
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title={`Add a model from ${provider.name}`}
        description="It can be selected right away. It can be called once it has a price, from the price list or your own."
      >
        <Form onSubmit={submit}>
          <Failure error={error} />
          <Field
            label="Model"
            hint={`As the provider names it. Its ID here is ${provider.id}:${name.trim() === "" ? "…" : name.trim()}`}
            error={
              isAsked && !model.success ? "Use letters, digits and . _ : / @ + -, at most 120 characters with the provider's ID." : null
            }
          >
            <Input autoComplete="off" className="font-mono" maxLength={119} value={name} onChange={({ target }) => setName(target.value)} />
          </Field>
          <div className="flex justify-end gap-2 border-t pt-3">
            <Button onClick={() => setOpen(false)}>Cancel</Button>
            <Button type="submit" variant="primary" pending={isPending ? "Committing…" : null}>
              Add model
            </Button>
          </div>
        </Form>
      </Dialog>
    </>
  );
};
