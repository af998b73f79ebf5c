"use client";

import { useState } from "react";
import { Callout } from "@/components/ui/callout";
import { CopyBlock } from "@/components/ui/copy-block";
import { DialogButton, ShowOnce } from "@/components/ui/dialog-button";
import { explainDenial, type Role } from "@/lib/roles";
import { AccountForm } from "./account-form";

type Shown = { readonly token: string; readonly onDone: () => void };

export const AccountToken = ({ token, onDone }: Shown) => (
  <ShowOnce
    title="Copy the token now"
    description="Only its hash is stored. Anyone with this token can act as the account until it expires or is revoked."
    onDone={onDone}
  >
    <CopyBlock label="token" text={token} />
    <Callout kind="waiting" title="The token won't be shown again">
      Send it as <code className="font-mono text-xs">Authorization: Bearer</code>. Never put it in a shared file or a URL.
    </Callout>
  </ShowOnce>
);

export const NewAccount = ({ role }: { readonly role: Role }) => {
  const [token, setToken] = useState<string | null>(null);
  if (token !== null) return <AccountToken token={token} onDone={() => setToken(null)} />;

  return (
    <DialogButton
      label="New service account…"
      disabledReason={explainDenial(role, "connect.manage")}
      size="lg"
      title="New service account"
      description="A program that calls the HTTP API. Its runs count as yours, and it can never approve."
    >
      {(close) => <AccountForm role={role} onMade={setToken} onCancel={close} />}
    </DialogButton>
  );
};
