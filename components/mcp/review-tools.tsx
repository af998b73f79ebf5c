"use client";

import { useState } from "react";
import { SignatureNote } from "@/components/passkeys/signature-note";
import { Button } from "@/components/ui/button";
import { DigestChip } from "@/components/ui/digest-chip";
import { Dialog } from "@/components/ui/dialog";
import type { ServerView } from "@/server/trpc/routers/mcp/view";
import { DriftMark } from "./drift-mark";
import { Failure } from "./failure";
import { describeIdentity } from "./server-drift";
import { useRegistry } from "./use-registry";

type Props = { readonly server: ServerView; readonly reason: string | null };

/** Pins the tools as shown, by digest. */
export const ReviewTools = ({ server, reason }: Props) => {
  const [isOpen, setIsOpen] = useState(false);
  const { send, pending, failure } = useRegistry({ showsFailure: true });
  const present = server.tools.flatMap((tool) => (tool.seen ? [{ ...tool, digest: tool.seen.digest }] : []));
  const gone = server.tools.filter(({ seen }) => seen === null);
  const empty = present.length === 0 ? "No tools yet. Inspect the server first" : null;
  const pin = async () => {
    const expect = Object.fromEntries(present.map(({ name, digest }) => [name, digest]));
    const identity = server.identityDigest === null ? {} : { identity: server.identityDigest };
    const command = { type: "pin", id: server.id, revision: server.revision, expect, ...identity } as const;
    if (await send(command, "Tools pinned as shown.")) setIsOpen(false);
  };

  return (
    <>
      <Button variant="primary" disabledReason={reason ?? empty} onClick={() => setIsOpen(true)}>
        Review and pin…
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setIsOpen}
        size="lg"
        title={`Pin ${present.length} ${present.length === 1 ? "tool" : "tools"} of ${server.name}`}
        description="These definitions become the reviewed ones. If a tool or the server's identity changes later, the server is suspended automatically."
        footer={
          <>
            <Button onClick={() => setIsOpen(false)}>Cancel</Button>
            <Button variant="primary" pending={pending ? "Pinning…" : null} onClick={() => void pin()}>
              Pin as shown
            </Button>
          </>
        }
      >
        <Failure failure={failure} />
        <p className="mb-2 text-sm">
          <span className="text-xs text-muted">Reports itself as </span>
          {describeIdentity(server.identity)}
        </p>
        <ul className="flex flex-col divide-y divide-line">
          {present.map(({ name, digest, drift }) => (
            <li key={name} className="flex items-center gap-3 py-1.5 text-sm">
              <span className="min-w-0 flex-1 font-mono break-all">{name}</span>
              <DriftMark drift={drift} />
              <DigestChip digest={digest} label={`digest of ${name}`} />
            </li>
          ))}
          {gone.map(({ name, drift }) => (
            <li key={name} className="flex items-center gap-3 py-1.5 text-sm text-muted">
              <span className="min-w-0 flex-1 font-mono break-all line-through">{name}</span>
              <DriftMark drift={drift} />
            </li>
          ))}
        </ul>
        <SignatureNote to="pin these definitions" />
      </Dialog>
    </>
  );
};
