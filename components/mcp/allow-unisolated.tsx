"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { isIsolated, isSwitchedOff, type Isolation } from "@/lib/mcp/isolation";
import type { StdioManifest } from "@/lib/mcp/program";
import type { ServerView } from "@/server/trpc/routers/mcp/view";
import { useRegistry } from "./use-registry";

type Props = {
  readonly server: ServerView;
  readonly manifest: StdioManifest;
  readonly isolation: Isolation | null;
  readonly reason: string | null;
};

/** Allows or forbids a start without isolation. */
export const AllowUnisolated = ({ server, manifest, isolation, reason }: Props) => {
  const { send, pending } = useRegistry();
  const [isOpen, setIsOpen] = useState(false);
  const { unisolated, ...isolated } = manifest;
  const isAllowed = unisolated === true;
  if (!isAllowed && (isolation === null || isIsolated(isolation) || isSwitchedOff(isolation))) return null;
  const save = async (): Promise<void> => {
    const { id, revision } = server;
    const next = isAllowed ? isolated : { ...isolated, unisolated: true as const };
    if (await send({ type: "set_transport", id, revision, transport: { type: "stdio", manifest: next } }, "Server moved to quarantine."))
      setIsOpen(false);
  };
  const title = isAllowed ? "Require isolation" : "Run without isolation";

  return (
    <>
      <Button size="sm" disabledReason={reason} onClick={() => setIsOpen(true)}>
        {title}…
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setIsOpen}
        title={title}
        description={
          isAllowed
            ? "The server starts only where it can be isolated. It goes back to quarantine."
            : "The server can read and change everything the runner can. It goes back to quarantine, and the change is recorded under your name."
        }
        footer={
          <>
            <Button onClick={() => setIsOpen(false)}>Cancel</Button>
            <Button variant="primary" pending={pending ? "Saving…" : null} onClick={() => void save()}>
              {title}
            </Button>
          </>
        }
      />
    </>
  );
};
