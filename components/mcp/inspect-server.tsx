"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { DigestChip } from "@/components/ui/digest-chip";
import type { Role } from "@/lib/roles";
import type { ServerView } from "@/server/trpc/routers/mcp/view";
import { Failure } from "./failure";
import { listAccessFacts, listTransportFacts } from "./transport-text";
import { useProgramOf } from "./use-programs";
import { useRegistry } from "./use-registry";

type Props = { readonly server: ServerView; readonly role: Role; readonly reason: string | null };

/** First contact, after confirming the digest. */
export const InspectServer = ({ server, role, reason }: Props) => {
  const [isOpen, setIsOpen] = useState(false);
  const { send, pending, failure } = useRegistry({ showsFailure: true });
  const { transport, access, id, revision } = server;
  const program = useProgramOf(server, role);
  const inspect = async () => {
    if (await send({ type: "inspect", id, revision }, "Tools listed. The server is in quarantine.")) setIsOpen(false);
  };

  return (
    <>
      <Button variant="primary" disabledReason={reason ?? (transport ? null : "The connection is invalid")} onClick={() => setIsOpen(true)}>
        Inspect…
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setIsOpen}
        size="lg"
        title={`Inspect ${server.name}`}
        description={
          transport?.type === "stdio"
            ? "Starts the program once and lists its tools. No tool is called."
            : "Connects once and lists the tools. No tool is called."
        }
        footer={
          <>
            <Button onClick={() => setIsOpen(false)}>Cancel</Button>
            <Button variant="primary" pending={pending ? "Inspecting…" : null} onClick={() => void inspect()}>
              {transport?.type === "stdio" ? "Confirm digest and inspect" : "Inspect"}
            </Button>
          </>
        }
      >
        <Failure failure={failure} />
        <dl className="grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[8rem_minmax(0,1fr)]">
          {(transport ? [...listTransportFacts(transport, program), ...listAccessFacts(access, transport)] : []).map(
            ({ label, text, digest }) => (
              <div key={label} className="contents">
                <dt className="text-muted">{label}</dt>
                <dd className="break-words">
                  {digest ? <DigestChip digest={digest} className="mr-1.5" /> : null}
                  {text}
                </dd>
              </div>
            ),
          )}
        </dl>
      </Dialog>
    </>
  );
};
