"use client";

import { Button } from "@/components/ui/button";
import { DigestChip } from "@/components/ui/digest-chip";
import { Panel } from "@/components/ui/panel";
import type { McpTransport, TransportDraft } from "@/lib/mcp/transport";
import { whyNot, type Role } from "@/lib/roles";
import type { ServerView } from "@/server/trpc/routers/mcp/view";
import { ChangeWay } from "./change-way";
import { accessFacts, transportFacts } from "./transport-text";
import { useRegistry } from "./use-registry";

type Props = { readonly server: ServerView; readonly role: Role };

/** The same way to reach the server, without the digest of what was installed when it was reviewed. */
const draftOf = (transport: McpTransport): TransportDraft => {
  if (transport.type === "http") return transport;
  const { manifest } = transport;
  if (manifest.source === "package") {
    const { tree_digest: _reviewed, ...draft } = manifest;

    return { type: "stdio", manifest: draft };
  }
  const { file_digest: _reviewed, ...draft } = manifest;

  return { type: "stdio", manifest: draft };
};

/** What the server is and what it effectively can reach. */
export const ConnectionPanel = ({ server, role }: Props) => {
  const { send, pending } = useRegistry();
  const { transport, id, revision } = server;
  const canTakeOver = transport?.type === "stdio" && server.status !== "revoked";

  return (
    <Panel title="Connection" bodyClassName="flex flex-col gap-2 p-3 text-sm">
      <dl className="flex flex-col gap-2">
        {(transport ? [...transportFacts(transport), ...accessFacts(server.access, transport)] : []).map(({ label, text, digest }) => (
          <div key={label}>
            <dt className="text-xs text-muted">{label}</dt>
            <dd className="break-words">
              {digest ? <DigestChip digest={digest} className="mr-1.5" /> : null}
              {text}
            </dd>
          </div>
        ))}
        <div>
          <dt className="text-xs text-muted">Protocol</dt>
          <dd className="font-mono text-xs">{server.protocol ?? "not connected yet"}</dd>
        </div>
      </dl>
      {transport?.type === "http" && server.status !== "revoked" ? (
        <div className="border-t pt-2">
          <ChangeWay server={server} url={transport.url} reason={whyNot(role, "mcp.manage")} />
        </div>
      ) : null}
      {canTakeOver ? (
        <div className="border-t pt-2">
          <p className="mb-2 text-xs text-muted">
            After an update the digest no longer fits and the server is not started. Taking over what is installed puts it back into
            quarantine.
          </p>
          <Button
            size="sm"
            disabledReason={whyNot(role, "mcp.manage")}
            pending={pending ? "Taking over…" : null}
            onClick={() =>
              void send(
                { type: "set_transport", id, revision, transport: draftOf(transport) },
                "The server is in quarantine: review its tools.",
              )
            }
          >
            Take over what is installed
          </Button>
        </div>
      ) : null}
    </Panel>
  );
};
