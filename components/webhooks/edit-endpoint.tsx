"use client";

import { useMutation } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { DialogButton } from "@/components/ui/dialog-button";
import type { EndpointView } from "@/server/trpc/routers/webhooks/list";
import { EndpointForm } from "./endpoint-form";

type Props = { readonly endpoint: EndpointView; readonly disabledReason: string | null; readonly onChanged: () => Promise<unknown> };

/** Edits an endpoint; its secret stays. */
export const EditEndpoint = ({ endpoint, disabledReason, onChanged }: Props) => {
  const update = useMutation(useTRPC().webhooks.update.mutationOptions({ onSuccess: onChanged }));

  return (
    <DialogButton
      label="Edit…"
      variant="ghost"
      disabledReason={disabledReason}
      size="lg"
      title="Edit endpoint"
      description="The secret doesn't change."
      onOpen={update.reset}
    >
      {(close) => (
        <EndpointForm
          initial={endpoint}
          submit="Save"
          pending={update.isPending ? "Saving…" : null}
          error={update.error}
          onSubmit={(fields) => update.mutate({ endpointId: endpoint.id, ...fields }, { onSuccess: close })}
          onCancel={close}
        />
      )}
    </DialogButton>
  );
};
