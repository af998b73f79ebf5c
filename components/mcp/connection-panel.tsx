"use client";

import { DigestChip } from "@/components/ui/digest-chip";
import { Panel } from "@/components/ui/panel";
import type { Isolation } from "@/lib/mcp/isolation";
import { isBundledProgram } from "@/lib/mcp/bundled-program";
import { explainDenial, type Role } from "@/lib/roles";
import type { ServerView } from "@/server/trpc/routers/mcp/view";
import { AllowUnisolated } from "./allow-unisolated";
import { ChangeProgram } from "./change-program";
import { ChangeConnection } from "./change-connection";
import { listIsolationFacts } from "./isolation-text";
import { listAccessFacts, listTransportFacts } from "./transport-text";
import { LOADING_PROGRAMS, useProgramOf } from "./use-programs";

type Props = { readonly server: ServerView; readonly isolation: Isolation | null; readonly role: Role };

export const ConnectionPanel = ({ server, isolation, role }: Props) => {
  const { transport } = server;
  const program = useProgramOf(server, role);
  const reason = explainDenial(role, "mcp.manage");
  const facts = transport
    ? [
        ...listTransportFacts(transport, program),
        ...listIsolationFacts(transport, isolation, program),
        ...listAccessFacts(server.access, transport),
      ]
    : [];

  return (
    <Panel title="Connection" bodyClassName="flex flex-col gap-2 p-3 text-sm">
      <dl className="flex flex-col gap-2">
        {facts.map(({ label, text, digest }) => (
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
          <ChangeConnection server={server} url={transport.url} reason={reason} />
        </div>
      ) : null}
      {transport?.type === "stdio" && server.status !== "revoked" ? (
        <div className="flex flex-wrap gap-2 border-t pt-2">
          <ChangeProgram
            server={server}
            manifest={transport.manifest}
            program={program ?? null}
            reason={reason ?? (program === undefined ? LOADING_PROGRAMS : null)}
          />
          {isBundledProgram(transport.manifest.program) || program?.runs.kind === "image" ? null : (
            <AllowUnisolated server={server} manifest={transport.manifest} isolation={isolation} reason={reason} />
          )}
        </div>
      ) : null}
    </Panel>
  );
};
