"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import type { ServerView } from "@/server/trpc/routers/mcp/view";
import { Failure } from "./failure";
import { ImpactLine } from "./impact-line";
import { useRegistry } from "./use-registry";

type Props = { readonly server: ServerView; readonly reason: string | null };

/** Confirms an irreversible revocation. */
export const RevokeServer = ({ server, reason }: Props) => {
  const [isOpen, setIsOpen] = useState(false);
  const { send, pending, failure } = useRegistry({ showsFailure: true });
  const revoke = async () => {
    if (await send({ type: "revoke", id: server.id, revision: server.revision }, "Server revoked.")) setIsOpen(false);
  };

  return (
    <>
      <Button variant="ghost" disabledReason={reason} onClick={() => setIsOpen(true)}>
        Revoke…
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setIsOpen}
        title={`Revoke ${server.name}?`}
        description="Its next call is refused and its process is stopped. Runs that need its tools can't continue. This can't be undone."
        footer={
          <>
            <Button onClick={() => setIsOpen(false)}>Cancel</Button>
            <Button variant="danger" pending={pending ? "Revoking…" : null} onClick={() => void revoke()}>
              Revoke server
            </Button>
          </>
        }
      >
        <ImpactLine id={server.id} />
        {failure ? <Failure failure={failure} /> : null}
      </Dialog>
    </>
  );
};
