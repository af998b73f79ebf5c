"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { whyNot, type Role } from "@/lib/roles";
import { fieldsOf, keyOf, ProviderFields, type ProviderForm } from "./provider-form";
import { useModelChange } from "./use-models";

const NOTHING: ProviderForm = { id: "", kind: "openai-compatible", name: "", base_url: "", allow_local: false, key: "" };

/** A provider of the workspace's own. Its models are listed afterwards, one by one. */
export const AddProvider = ({ role }: { readonly role: Role }) => {
  const [isOpen, setIsOpen] = useState(false);
  const { send, isPending, error, reset } = useModelChange(() => setIsOpen(false));
  const setOpen = (next: boolean) => {
    setIsOpen(next);
    reset();
  };

  return (
    <>
      <Button variant="primary" disabledReason={whyNot(role, "model.manage")} onClick={() => setOpen(true)}>
        Add provider…
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        size="lg"
        title="Add a provider"
        description="Its models are called only after they are listed here, and only at a known price."
      >
        <ProviderFields
          initial={NOTHING}
          isNew
          hasKey={false}
          pending={isPending ? "Committing…" : null}
          error={error}
          onSubmit={(form) =>
            send(
              { type: "add_provider", provider: { id: form.id, kind: form.kind, ...fieldsOf(form) }, key: keyOf(form) },
              "The provider is added. List its models next.",
            )
          }
          onCancel={() => setOpen(false)}
        />
      </Dialog>
    </>
  );
};
