"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { ShownToken } from "@/components/account/shown-token";
import { useAdminSignature } from "@/components/passkeys/use-admin-signature";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { ConfirmAction } from "@/components/ui/confirm-action";

const DAYS = 365;
const DAY_MS = 86_400_000;

type Reason = { readonly reason: string | null };
type Making = Reason & { readonly needsSecondAdmin: boolean; readonly hasToken: boolean };

export const MakeToken = ({ needsSecondAdmin, hasToken, reason }: Making) => {
  const api = useTRPCClient();
  const sign = useAdminSignature();
  const refresh = useRefresh(useTRPC().directory.pathFilter());
  const [token, setToken] = useState<string | null>(null);
  const make = useMutation({
    mutationFn: async () =>
      api.directory.tokens.make.mutate({
        days: DAYS,
        ...(await sign({ kind: "directory_token_make", lifetimeMs: DAYS * DAY_MS })),
      }),
    onSuccess: async (made) => {
      await refresh();
      setToken(made.token);
    },
  });
  if (token !== null) return <ShownToken token={token} allows="create and disable people here" onDone={() => setToken(null)} />;

  return (
    <ConfirmAction
      label="Create SCIM token…"
      variant="secondary"
      title="Create a SCIM token?"
      consequence={`It is shown once and expires in ${DAYS} days.${hasToken ? " The other tokens stay valid until you end them." : ""}${
        needsSecondAdmin ? " The mapping makes admins, so the token works once a different admin confirmed it." : ""
      }`}
      confirm="Create token"
      confirmVariant="primary"
      pending="Creating…"
      disabledReason={reason}
      act={() => make.mutateAsync()}
    />
  );
};

type Props = Reason & { readonly token: string };

export const ConfirmToken = ({ token, reason }: Props) => {
  const trpc = useTRPC();
  const sign = useAdminSignature();
  const confirm = useMutation(trpc.directory.tokens.confirm.mutationOptions({ onSettled: useRefresh(trpc.directory.pathFilter()) }));

  return (
    <ConfirmAction
      label="Confirm…"
      buttonSize="sm"
      title="Confirm this SCIM token?"
      consequence="The mapping makes admins, so the directory that has this token then decides who is an admin here. If you have a passkey, you sign this with it."
      confirm="Confirm token"
      pending="Committing…"
      disabledReason={reason}
      act={async () => confirm.mutateAsync({ token, ...(await sign({ kind: "directory_token_confirm", token })) })}
    />
  );
};

export const EndToken = ({ token, reason }: Props) => {
  const trpc = useTRPC();
  const end = useMutation(trpc.directory.tokens.end.mutationOptions({ onSettled: useRefresh(trpc.directory.pathFilter()) }));

  return (
    <ConfirmAction
      label="End…"
      name="End the SCIM token"
      buttonSize="sm"
      title="End this SCIM token?"
      consequence="Its next request is refused. People and groups stay as they are."
      confirm="End token"
      pending="Ending…"
      disabledReason={reason}
      act={() => end.mutateAsync({ token })}
    />
  );
};
