"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useAdminSignature } from "@/components/passkeys/use-admin-signature";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { ConfirmAction } from "@/components/ui/confirm-action";
import { explainDenial, type Role } from "@/lib/roles";
import { ShownToken } from "@/components/account/shown-token";

const DAYS = 30;
const DAY_MS = 86_400_000;

type Props = { readonly id: string; readonly name: string; readonly role: Role };

export const RotateAccount = ({ id, name, role }: Props) => {
  const trpc = useTRPC();
  const api = useTRPCClient();
  const sign = useAdminSignature();
  const refresh = useRefresh(trpc.connect.tokens.pathFilter());
  const [token, setToken] = useState<string | null>(null);
  const rotate = useMutation({
    mutationFn: async () =>
      api.connect.accounts.rotate.mutate({
        tokenId: id,
        expiresInDays: DAYS,
        ...(await sign({ kind: "token_rotate", token: id, lifetimeMs: DAYS * DAY_MS })),
      }),
    onSuccess: async (made) => {
      await refresh();
      setToken(made.token);
    },
  });
  if (token !== null) return <ShownToken token={token} allows="act as the account" onDone={() => setToken(null)} />;

  return (
    <ConfirmAction
      label="Rotate…"
      name={`Rotate ${name}`}
      buttonSize="sm"
      title={`Rotate the token of ${name}?`}
      consequence={`The current token ends at once. The new one expires in ${DAYS} days.`}
      confirm="Rotate"
      pending="Rotating…"
      done="Token rotated."
      disabledReason={explainDenial(role, "connect.manage")}
      act={() => rotate.mutateAsync()}
    />
  );
};
