"use client";

import { ConfirmAction } from "@/components/ui/confirm-action";
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

export const AllowUnisolated = ({ server: { id, revision }, manifest, isolation, reason }: Props) => {
  const { act } = useRegistry();
  const { unisolated, ...isolated } = manifest;
  const isAllowed = unisolated === true;
  if (!isAllowed && (isolation === null || isIsolated(isolation) || isSwitchedOff(isolation))) return null;
  const next = isAllowed ? isolated : { ...isolated, unisolated: true as const };
  const title = isAllowed ? "Require isolation" : "Run without isolation";

  return (
    <ConfirmAction
      label={`${title}…`}
      variant="secondary"
      buttonSize="sm"
      confirmVariant="primary"
      disabledReason={reason}
      title={title}
      consequence={
        isAllowed
          ? "The server starts only where it can be isolated. It goes back to quarantine."
          : "The server can read and change everything the runner can. It goes back to quarantine, and the change is recorded under your name."
      }
      confirm={title}
      pending="Saving…"
      done="Server moved to quarantine."
      act={() => act({ type: "set_transport", id, revision, transport: { type: "stdio", manifest: next } })}
    />
  );
};
