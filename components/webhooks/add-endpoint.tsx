"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { explainDenial, type Role } from "@/lib/roles";
import { EndpointForm, NO_ENDPOINT } from "./endpoint-form";
import { SecretDialog } from "./secret-dialog";

export const AddEndpoint = ({ role }: { readonly role: Role }) => {
  const trpc = useTRPC();
  const client = useQueryClient();
  const router = useRouter();
  const [isOpen, setIsOpen] = useState(false);
  const create = useMutation(
    trpc.webhooks.create.mutationOptions({ onSuccess: () => client.invalidateQueries({ queryKey: trpc.webhooks.list.queryKey() }) }),
  );
  const setOpen = (next: boolean) => {
    setIsOpen(next);
    create.reset();
  };
  if (create.data) {
    const { id, secret } = create.data;

    return (
      <SecretDialog
        secret={secret}
        onDone={() => {
          setOpen(false);
          router.push(`/admin/webhooks/${id}`);
        }}
      />
    );
  }

  return (
    <>
      <Button variant="primary" disabledReason={explainDenial(role, "webhook.manage")} onClick={() => setOpen(true)}>
        Add endpoint…
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        size="lg"
        title="Add a webhook endpoint"
        description="It receives events with a link, never their contents."
      >
        <EndpointForm
          initial={NO_ENDPOINT}
          submitLabel="Add endpoint"
          pending={create.isPending ? "Adding…" : null}
          error={create.error}
          onSubmit={(fields) => create.mutate(fields)}
          onCancel={() => setOpen(false)}
        />
      </Dialog>
    </>
  );
};
