"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { explainDenial, type Role } from "@/lib/roles";
import { TOKEN_VARIABLE } from "./client-configs";
import { CopyBlock } from "@/components/ui/copy-block";
import { MintForm } from "./mint-form";

/** Creates a token, shown once. */
export const MintToken = ({ role }: { readonly role: Role }) => {
  const [isOpen, setIsOpen] = useState(false);
  const [token, setToken] = useState<string | null>(null);
  const close = () => {
    setIsOpen(false);
    setToken(null);
  };

  return (
    <>
      <Button variant="primary" disabledReason={explainDenial(role, "connect.manage")} onClick={() => setIsOpen(true)}>
        New token…
      </Button>
      {token === null ? (
        <Dialog
          open={isOpen}
          onOpenChange={setIsOpen}
          size="lg"
          title="New token for an outside agent"
          description="Its actions are recorded under its name, in runs that count as yours."
        >
          <MintForm role={role} onMinted={setToken} onCancel={close} />
        </Dialog>
      ) : (
        // The token can't be shown again.
        <Dialog
          open
          size="lg"
          title="Copy the token now"
          description="Only its hash is stored. Anyone with this token can act as the agent until it expires or is revoked."
          footer={
            <Button variant="primary" onClick={close}>
              Done
            </Button>
          }
        >
          <div className="flex flex-col gap-3">
            <CopyBlock label="token" text={token} />
            <Callout kind="waiting" title="The token won't be shown again">
              Set it as the variable <code className="font-mono text-xs">{TOKEN_VARIABLE}</code> in the agent&apos;s environment. Never put
              it in a shared file or a URL.
            </Callout>
          </div>
        </Dialog>
      )}
    </>
  );
};
