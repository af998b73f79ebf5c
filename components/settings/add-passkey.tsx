"use client";

import { useQuery } from "@tanstack/react-query";
import { registerPasskey } from "@/components/passkeys/register-passkey";
import { useCountersign } from "@/components/passkeys/use-countersign";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { DialogButton } from "@/components/ui/dialog-button";
import { notify } from "@/components/ui/toast";
import { useAttempt } from "@/components/ui/use-attempt";
import { LabelForm } from "./label-form";

const NOT_ALLOWED = "Ask an admin to allow a new passkey first";

/** Creates a passkey, signed by an existing one. @param props.why passkeys can't be used here */
export const AddPasskey = ({ why }: { readonly why: string | null }) => {
  const [trpc, client] = [useTRPC(), useTRPCClient()];
  const { attempt, isPending, error, reset } = useAttempt();
  const countersign = useCountersign();
  const refresh = useRefresh(trpc.passkeys.pathFilter());
  const { data } = useQuery(trpc.passkeys.list.queryOptions());
  const hasOne = data?.passkeys.some(({ revokedAt }) => revokedAt === null) ?? false;
  const isAllowed = (data?.allowedUntil ?? null) !== null;
  const add = async (label: string, close: () => void) => {
    if (!(await attempt(() => registerPasskey(client, label, isAllowed ? null : countersign)))) return;
    close();
    notify({ title: `${label} added` });
    await refresh();
  };

  return (
    <DialogButton
      label="Add passkey…"
      variant="primary"
      disabledReason={why ?? (data && !hasOne && !isAllowed ? NOT_ALLOWED : null)}
      title="Add a passkey"
      description={
        isAllowed
          ? "Your browser asks where to store it: on this device, a phone or a security key."
          : "Your browser asks twice: first where to store the new passkey, then for an existing one to sign for it."
      }
      onOpen={reset}
    >
      {(close) => (
        <LabelForm
          initial=""
          submit="Add passkey"
          pending={isPending ? "Your browser is asking…" : null}
          error={error}
          onSubmit={(label) => add(label, close)}
          onCancel={close}
        />
      )}
    </DialogButton>
  );
};
