"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { Failure } from "@/components/ui/failure";
import { ownNameOf } from "@/lib/model-provider";
import type { ModelView, ProviderView } from "@/server/trpc/routers/models/settings";
import { testSentence } from "./labels";

type Props = { readonly provider: ProviderView; readonly models: readonly ModelView[]; readonly disabledReason: string | null };

export const TestCall = ({ provider, models, disabledReason }: Props) => {
  const trpc = useTRPC();
  const [isOpen, setIsOpen] = useState(false);
  const [chosen, setChosen] = useState<string | null>(null);
  const model = chosen ?? models[0]?.id ?? null;
  const { mutate, data, error, isPending, reset } = useMutation(
    trpc.models.test.mutationOptions({ onSettled: useRefresh(trpc.models.settings.queryFilter()) }),
  );
  const setOpen = (next: boolean) => {
    setIsOpen(next);
    reset();
  };

  return (
    <>
      <Button
        variant="ghost"
        size="sm"
        disabledReason={disabledReason ?? (models.length === 0 ? "Add a model first" : null)}
        onClick={() => setOpen(true)}
      >
        Test…
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title={`Test ${provider.name}`}
        description="Asks the model for one word. The response isn't kept. The cost is shown, and the test is recorded."
        footer={
          <>
            <Button onClick={() => setOpen(false)}>Close</Button>
            <Button
              variant="primary"
              pending={isPending ? "Calling…" : null}
              onClick={() => (model === null ? undefined : mutate({ model }))}
            >
              Run test
            </Button>
          </>
        }
      >
        <div className="flex flex-col gap-3">
          <Field label="Model">
            <Select
              items={models.map(({ id }) => ({ value: id, label: ownNameOf(id) }))}
              value={model}
              placeholder="No model"
              onValueChange={setChosen}
            />
          </Field>
          <Failure error={error} />
          {data ? (
            <Callout alert kind={data.outcome.ok ? "clean" : "refused"} title={data.outcome.ok ? "The model responded" : "Test failed"}>
              {testSentence(data)}
            </Callout>
          ) : null}
        </div>
      </Dialog>
    </>
  );
};
