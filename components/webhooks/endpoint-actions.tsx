"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { Button } from "@/components/ui/button";
import { notify } from "@/components/ui/toast";
import { explainDenial, type Role } from "@/lib/roles";
import type { EndpointView } from "@/server/trpc/routers/webhooks/list";
import { ConfirmAction } from "@/components/ui/confirm-action";
import { EditEndpoint } from "./edit-endpoint";
import { SecretDialog } from "./secret-dialog";

const failed = (error: unknown): void => notify({ tone: "error", title: toApiError(error).message });

export const EndpointActions = ({ endpoint, role }: { readonly endpoint: EndpointView; readonly role: Role }) => {
  const trpc = useTRPC();
  const router = useRouter();
  const [secret, setSecret] = useState<string | null>(null);
  const reason = explainDenial(role, "webhook.manage");
  const target = { endpointId: endpoint.id };
  const isOff = endpoint.offReason !== null;
  const askAgain = useRefresh(trpc.webhooks.pathFilter());
  const refreshList = useRefresh(trpc.webhooks.list.queryFilter());
  const options = { onSuccess: askAgain, onError: failed };
  const test = useMutation(trpc.webhooks.test.mutationOptions(options));
  const turn = useMutation(trpc.webhooks.switch.mutationOptions(options));
  const rotate = useMutation(trpc.webhooks.rotateSecret.mutationOptions());
  const remove = useMutation(trpc.webhooks.remove.mutationOptions());

  return (
    <>
      <ConfirmAction
        label="Remove…"
        title="Remove this endpoint?"
        consequence="It receives no more events, and its delivery history is deleted. This can't be undone."
        confirm="Remove endpoint"
        pending="Removing…"
        disabledReason={reason}
        act={async () => {
          await remove.mutateAsync(target);
          await refreshList();
          router.push("/admin/webhooks");
        }}
      />
      {endpoint.format === "signed" ? (
        <ConfirmAction
          label="Rotate secret…"
          title="Rotate the secret?"
          consequence="A new secret is shown once. For 24 hours the old one also signs, so that the receiver can switch."
          confirm="Rotate secret"
          pending="Rotating…"
          disabledReason={reason}
          act={async () => {
            setSecret((await rotate.mutateAsync(target)).secret);
            await askAgain();
          }}
        />
      ) : null}
      <EditEndpoint endpoint={endpoint} disabledReason={reason} onChanged={askAgain} />
      <Button disabledReason={reason} pending={turn.isPending ? "Saving…" : null} onClick={() => turn.mutate({ ...target, on: isOff })}>
        {isOff ? "Turn on" : "Turn off"}
      </Button>
      <Button variant="primary" disabledReason={reason} pending={test.isPending ? "Sending…" : null} onClick={() => test.mutate(target)}>
        Send test
      </Button>
      {secret ? (
        <SecretDialog
          secret={secret}
          note="Both secrets sign for 24 hours. Update the receiver before then."
          onDone={() => setSecret(null)}
        />
      ) : null}
    </>
  );
};
