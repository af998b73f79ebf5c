"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ConfirmAction } from "@/components/webhooks/confirm-action";
import { whyNot, type Role } from "@/lib/roles";
import type { ModelView, ProviderView } from "@/server/trpc/routers/models/settings";
import { AddModel } from "./add-model";
import { fieldsOf, keyOf, ProviderFields } from "./provider-form";
import { TestCall } from "./test-call";
import { useModelChange } from "./use-models";

type Props = { readonly provider: ProviderView; readonly models: readonly ModelView[]; readonly role: Role };

const EditProvider = ({ provider, disabledReason }: { readonly provider: ProviderView; readonly disabledReason: string | null }) => {
  const [isOpen, setIsOpen] = useState(false);
  const { send, isPending, error, reset } = useModelChange(() => setIsOpen(false));
  const setOpen = (next: boolean) => {
    setIsOpen(next);
    reset();
  };

  return (
    <>
      <Button variant="ghost" size="sm" disabledReason={disabledReason} onClick={() => setOpen(true)}>
        Edit…
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        size="lg"
        title={`Edit ${provider.name}`}
        description="What is changed holds from the next call on."
      >
        <ProviderFields
          initial={{ ...provider, base_url: provider.base_url ?? "", key: "" }}
          isNew={false}
          hasKey={provider.has_key}
          pending={isPending ? "Committing…" : null}
          error={error}
          onSubmit={(form) =>
            send(
              { type: "edit_provider", id: provider.id, revision: provider.revision, fields: fieldsOf(form), key: keyOf(form) },
              "The provider is changed.",
            )
          }
          onCancel={() => setOpen(false)}
        />
      </Dialog>
    </>
  );
};

/** What can be done with a provider of the workspace's own. */
export const ProviderActions = ({ provider, models, role }: Props) => {
  const reason = whyNot(role, "model.manage");
  const { sendAndWait } = useModelChange();

  return (
    <div className="flex flex-wrap justify-end gap-1">
      <AddModel provider={provider} disabledReason={reason} />
      <TestCall provider={provider} models={models} disabledReason={reason} />
      <EditProvider provider={provider} disabledReason={reason} />
      <ConfirmAction
        label="Remove…"
        title={`Remove ${provider.name}?`}
        consequence="Its key is destroyed, its models are no longer listed, and the next call of one of them is refused. Records of earlier calls stay."
        confirm="Remove the provider"
        pending="Committing…"
        disabledReason={reason}
        act={() => sendAndWait({ type: "remove_provider", id: provider.id, revision: provider.revision })}
      />
    </div>
  );
};
