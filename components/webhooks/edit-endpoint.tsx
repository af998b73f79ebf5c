"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import type { EndpointView } from "@/server/trpc/routers/webhooks/list";
import { EndpointForm } from "./endpoint-form";

type Props = { readonly endpoint: EndpointView; readonly disabledReason: string | null; readonly onChanged: () => Promise<unknown> };

/** Edits an endpoint; its secret stays. */
export const EditEndpoint = ({ endpoint, disabledReason, onChanged }: Props) => {
  const [isOpen, setIsOpen] = useState(false);
  const update = useMutation(
    useTRPC().webhooks.update.mutationOptions({
      onSuccess: async () => {
        await onChanged();
        setIsOpen(false);
      },
    }),
  );
  const setOpen = (next: boolean) => {
    setIsOpen(next);
    update.reset();
  };

  return (
    <>
      <Button variant="ghost" disabledReason={disabledReason} onClick={() => setOpen(true)}>
        Edit…
      </Button>
      <Dialog open={isOpen} onOpenChange={setOpen} size="lg" title="Edit endpoint" description="The secret doesn't change.">
        <EndpointForm
          initial={endpoint}
          submitLabel="Save"
          pending={update.isPending ? "Saving…" : null}
          error={update.error}
          onSubmit={(fields) => update.mutate({ endpointId: endpoint.id, ...fields })}
          onCancel={() => setOpen(false)}
        />
      </Dialog>
    </>
  );
};
