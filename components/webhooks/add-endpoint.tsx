"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { DialogButton } from "@/components/ui/dialog-button";
import { explainDenial, type Role } from "@/lib/roles";
import { EndpointForm, NO_ENDPOINT } from "./endpoint-form";
import { SecretDialog } from "./secret-dialog";

export const AddEndpoint = ({ role }: { readonly role: Role }) => {
  const trpc = useTRPC();
  const router = useRouter();
  const create = useMutation(trpc.webhooks.create.mutationOptions({ onSuccess: useRefresh(trpc.webhooks.list.queryFilter()) }));
  if (create.data && create.variables.format === "signed") {
    const { id, secret } = create.data;

    return (
      <SecretDialog
        secret={secret}
        onDone={() => {
          create.reset();
          router.push(`/admin/webhooks/${id}`);
        }}
      />
    );
  }

  return (
    <DialogButton
      label="Add endpoint…"
      variant="primary"
      disabledReason={explainDenial(role, "webhook.manage")}
      size="lg"
      title="Add a webhook endpoint"
      description="For a program or a chat. Nothing can be decided from there."
      onOpen={create.reset}
    >
      {(close) => (
        <EndpointForm
          initial={NO_ENDPOINT}
          submit="Add endpoint"
          pending={create.isPending ? "Adding…" : null}
          error={create.error}
          onSubmit={(fields) =>
            create.mutate(fields, {
              onSuccess: ({ id }) => {
                if (fields.format !== "signed") router.push(`/admin/webhooks/${id}`);
              },
            })
          }
          onCancel={close}
        />
      )}
    </DialogButton>
  );
};
