"use client";

import { SignatureNote } from "@/components/passkeys/signature-note";
import { ConfirmAction } from "@/components/ui/confirm-action";
import { DigestChip } from "@/components/ui/digest-chip";
import type { ServerView } from "@/server/trpc/routers/mcp/view";
import { DriftMark } from "./drift-mark";
import { describeIdentity } from "./server-drift";
import { useRegistry } from "./use-registry";

type Props = { readonly server: ServerView; readonly reason: string | null };

/** Pins the tools as shown, by digest. */
export const ReviewTools = ({ server, reason }: Props) => {
  const { act } = useRegistry();
  const present = server.tools.flatMap((tool) => (tool.seen ? [{ ...tool, digest: tool.seen.digest }] : []));
  const gone = server.tools.filter(({ seen }) => seen === null);
  const empty = present.length === 0 ? "No tools yet. Inspect the server first" : null;
  const pin = () => {
    const expect = Object.fromEntries(present.map(({ name, digest }) => [name, digest]));
    const identity = server.identityDigest === null ? {} : { identity: server.identityDigest };

    return act({ type: "pin", id: server.id, revision: server.revision, expect, ...identity });
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
    </ConfirmAction>
  );
};
