"use client";

import { SignatureNote } from "@/components/passkeys/signature-note";
import { ConfirmAction } from "@/components/ui/confirm-action";
import type { ServerView } from "@/server/trpc/routers/mcp/view";
import { describeIdentity } from "./server-drift";
import { ToolsToPin } from "./tools-to-pin";
import { useRegistry } from "./use-registry";

type Props = { readonly server: ServerView; readonly reason: string | null };

export const ReviewTools = ({ server, reason }: Props) => {
  const { act } = useRegistry();
  const present = server.tools.flatMap(({ name, seen }) => (seen ? [[name, seen.digest] as const] : []));
  const empty = present.length === 0 ? "No tools yet. Inspect the server first" : null;
  const pin = () => {
    const identity = server.identityDigest === null ? {} : { identity: server.identityDigest };

    return act({ type: "pin", id: server.id, revision: server.revision, expect: Object.fromEntries(present), ...identity });
  };

  return (
    <ConfirmAction
      label="Review and pin…"
      variant="primary"
      confirmVariant="primary"
      disabledReason={reason ?? empty}
      size="lg"
      title={`Pin ${present.length} ${present.length === 1 ? "tool" : "tools"} of ${server.name}`}
      consequence="These definitions become the reviewed ones. If a tool or the server's identity changes later, the server is suspended automatically."
      confirm="Pin as shown"
      pending="Pinning…"
      done="Tools pinned as shown."
      act={pin}
    >
      <p className="mb-2 text-sm">
        <span className="text-xs text-muted">Reports itself as </span>
        {describeIdentity(server.identity)}
      </p>
      <ToolsToPin tools={server.tools} />
      <SignatureNote to="pin these definitions" />
    </ConfirmAction>
  );
};
