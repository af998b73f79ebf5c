"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { whyNot, type Role } from "@/lib/roles";
import { TOKEN_VARIABLE } from "./client-configs";
import { CopyBlock } from "./copy-block";
import { MintForm } from "./mint-form";

/** Makes a token and shows it, once. */
export const MintToken = ({ role }: { readonly role: Role }) => {
  const [isOpen, setIsOpen] = useState(false);
  const [token, setToken] = useState<string | null>(null);
  const close = () => {
    setIsOpen(false);
    setToken(null);
  };

  return (
    <>
      <Button variant="primary" disabledReason={whyNot(role, "connect.manage")} onClick={() => setIsOpen(true)}>
        New token…
      </Button>
      {token === null ? (
        <Dialog
          open={isOpen}
          onOpenChange={setIsOpen}
          size="lg"
          title="A token for an outside agent"
          description="Everything it does counts as done by it, in runs that count as yours."
        >
          <MintForm role={role} onMinted={setToken} onCancel={close} />
        </Dialog>
      ) : (
        // Without a way to close it by accident: the token cannot be shown again.
        <Dialog
          open
          size="lg"
          title="Copy the token now"
          description="Only its hash is kept. Whoever has it can act as this agent until it expires or is revoked."
          footer={
            <Button variant="primary" onClick={close}>
              I have it
            </Button>
          }
        >
          <div className="flex flex-col gap-3">
            <CopyBlock label="token" text={token} />
            <Callout kind="waiting" title="It is not shown again">
              Put it into the variable <code className="font-mono text-xs">{TOKEN_VARIABLE}</code> of the agent&apos;s environment, never
              into a file that is shared, and never into an address.
            </Callout>
          </div>
        </Dialog>
      )}
    </>
  );
};
