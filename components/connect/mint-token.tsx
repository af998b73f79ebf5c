"use client";

import { useState } from "react";
import { Callout } from "@/components/ui/callout";
import { CopyBlock } from "@/components/ui/copy-block";
import { DialogButton, ShowOnce } from "@/components/ui/dialog-button";
import { explainDenial, type Role } from "@/lib/roles";
import { TOKEN_VARIABLE } from "./client-configs";
import { MintForm } from "./mint-form";

export const MintToken = ({ role }: { readonly role: Role }) => {
  const [token, setToken] = useState<string | null>(null);
  if (token !== null) {
    return (
      <ShowOnce
        title="Copy the token now"
        description="Only its hash is stored. Anyone with this token can act as the agent until it expires or is revoked."
        onDone={() => setToken(null)}
      >
        <CopyBlock label="token" text={token} />
        <Callout kind="waiting" title="The token won't be shown again">
          Set it as the variable <code className="font-mono text-xs">{TOKEN_VARIABLE}</code> in the agent&apos;s environment. Never put it
          in a shared file or a URL.
        </Callout>
      </ShowOnce>
    );
  }

  return (
    <DialogButton
      label="New token…"
      variant="primary"
      disabledReason={explainDenial(role, "connect.manage")}
      size="lg"
      title="New token for an outside agent"
      description="Its actions are recorded under its name, in runs that count as yours."
    >
      {(close) => <MintForm role={role} onMinted={setToken} onCancel={close} />}
    </DialogButton>
  );
};
