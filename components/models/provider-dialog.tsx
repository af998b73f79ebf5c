"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import type { ModelChange } from "@/lib/model-change";
import type { ProviderView } from "@/server/trpc/routers/models/settings";
import { toFields, getKey, ProviderFields, type ProviderForm } from "./provider-form";
import { useModelChange } from "./use-models";

const NOTHING: ProviderForm = { id: "", kind: "openai-compatible", name: "", baseUrl: "", allowLocal: false, key: "" };

const changeOf = (edited: ProviderView | null, form: ProviderForm): ModelChange =>
  edited
    ? { type: "edit_provider", id: edited.id, revision: edited.revision, fields: toFields(form), key: getKey(form) }
    : { type: "add_provider", provider: { id: form.id, kind: form.kind, ...toFields(form) }, key: getKey(form) };

type Props = {
  /** Null: new. */
  readonly edited: ProviderView | null;
  readonly disabledReason: string | null;
};

export const ProviderDialog = ({ edited, disabledReason }: Props) => {
  const [isOpen, setIsOpen] = useState(false);
  const { send, isPending, error, reset } = useModelChange(() => setIsOpen(false));
  const setOpen = (next: boolean) => {
    setIsOpen(next);
    reset();
  };

  return (
    <>
      <Button
        variant={edited ? "ghost" : "primary"}
        size={edited ? "sm" : "md"}
        disabledReason={disabledReason}
        onClick={() => setOpen(true)}
      >
        {edited ? "Edit…" : "Add provider…"}
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        size="lg"
        title={edited ? `Edit ${edited.name}` : "Add a provider"}
        description={
          edited ? "Changes apply from the next call." : "Add its models afterwards. A model can be called only if its price is known."
        }
      >
        <ProviderFields
          initial={edited ? { ...edited, baseUrl: edited.baseUrl ?? "", key: "" } : NOTHING}
          isNew={edited === null}
          hasKey={edited?.hasKey ?? false}
          pending={isPending ? "Committing…" : null}
          error={error}
          onSubmit={(form) => send(changeOf(edited, form), edited ? "Provider saved." : "Provider added. Add its models next.")}
          onCancel={() => setOpen(false)}
        />
      </Dialog>
    </>
  );
};
