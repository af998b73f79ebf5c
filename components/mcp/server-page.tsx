"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { EmptyState } from "@/components/ui/empty-state";
import { Page } from "@/components/ui/page";
import { QueryState } from "@/components/ui/query-state";
import type { Isolation } from "@/lib/mcp/isolation";
import type { Role } from "@/lib/roles";
import type { ServerView } from "@/server/trpc/routers/mcp/view";
import { AllowedAgents } from "./allowed-agents";
import { CallLimits } from "./call-limits";
import { ConnectionPanel } from "./connection-panel";
import { LeastPrivilegePanel } from "./least-privilege-panel";
import { HealthPanel } from "./health-panel";
import { IdentityPanel } from "./identity-panel";
import { ServerActions } from "./server-actions";
import { ServerImpact } from "./server-impact";
import { ServerNotices } from "./server-notices";
import { ServerReach } from "./server-reach";
import { ServerStatus } from "./server-status";
import { ToolsPanel } from "./tools-panel";

type Props = { readonly id: string; readonly role: Role };

const PARENT = { name: "MCP servers", href: "/admin/mcp" } as const;

const MISSING = (
  <EmptyState kind="no_match" title="Server not found">
    It was never added or belongs to another workspace.
  </EmptyState>
);

/** Dependents come first while out of use. */
const isOut = ({ status }: ServerView): boolean => status === "drifted" || status === "suspended";

type LoadedProps = { readonly server: ServerView; readonly isolation: Isolation | null; readonly role: Role };

const Loaded = ({ server, isolation, role }: LoadedProps) => (
  <Page
    parent={PARENT}
    title={
      <span className="flex items-center gap-2">
        {server.name}
        <ServerStatus status={server.shownStatus} />
      </span>
    }
    description={<span className="font-mono text-xs">{server.id}</span>}
    actions={<ServerActions server={server} role={role} />}
    isFlush
  >
    <div className="grid min-w-0 items-start gap-4 p-6 xl:grid-cols-[minmax(0,1fr)_320px]">
      <div className="flex min-w-0 flex-col gap-4">
        <ServerNotices server={server} isolation={isolation} />
        {isOut(server) ? <ServerImpact id={server.id} /> : null}
        <ToolsPanel server={server} isolation={isolation} role={role} />
        {isOut(server) ? null : <ServerImpact id={server.id} />}
        <ServerReach server={server} />
        <LeastPrivilegePanel server={server} role={role} />
      </div>
      <div className="flex flex-col gap-4">
        {/* Remounted per revision, so that it never overwrites unseen changes. */}
        <AllowedAgents key={server.revision} server={server} role={role} />
        <IdentityPanel server={server} />
        <ConnectionPanel server={server} isolation={isolation} role={role} />
        <HealthPanel server={server} />
        <CallLimits key={`limits ${server.revision}`} server={server} tool={null} role={role} />
      </div>
    </div>
  </Page>
);

export const ServerPage = ({ id, role }: Props) => {
  const query = useQuery(useTRPC().mcp.get.queryOptions({ id }));

  return (
    <QueryState
      query={query}
      what="the server"
      rows={8}
      missing={MISSING}
      renderFrame={(state) => (
        <Page parent={PARENT} title={id}>
          {state}
        </Page>
      )}
    >
      {(server) => <Loaded server={server} isolation={server.isolation} role={role} />}
    </QueryState>
  );
};
