"use client";

import { useState } from "react";
import { DialogButton } from "@/components/ui/dialog-button";
import { explainDenial, type Role } from "@/lib/roles";
import { TOKEN_VARIABLE } from "./client-configs";
import { ShownToken } from "@/components/account/shown-token";
import { TokenForm, type Holder } from "./token-form";

const TEXTS = {
  agent: {
    label: "New token…",
    variant: "primary",
    title: "New token for an outside agent",
    description: "Its actions are recorded under its name, in runs that count as yours.",
    shown: { allows: "act as the agent", variable: TOKEN_VARIABLE },
  },
  account: {
    label: "New service account…",
    variant: "secondary",
    title: "New service account",
    description: "A program that calls the HTTP API. Its runs count as yours, and it can never approve.",
    shown: { allows: "act as the account" },
  },
} as const satisfies Record<Holder, object>;

export const NewToken = ({ role, holder }: { readonly role: Role; readonly holder: Holder }) => {
  const [token, setToken] = useState<string | null>(null);
  const { shown, ...button } = TEXTS[holder];
  if (token !== null) return <ShownToken token={token} {...shown} onDone={() => setToken(null)} />;

  return (
    <DialogButton {...button} disabledReason={explainDenial(role, "connect.manage")} size="lg">
      {(close) => <TokenForm role={role} holder={holder} onMade={setToken} onCancel={close} />}
    </DialogButton>
  );
};
