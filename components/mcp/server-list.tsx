"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTRPC } from "@/components/trpc/trpc";
import { EmptyState } from "@/components/ui/empty-state";
import { ListTable, timeColumn, WIDE, type Column } from "@/components/ui/list-table";
import { Mark } from "@/components/ui/marks/mark";
import { Page } from "@/components/ui/page";
import { QueryState } from "@/components/ui/query-state";
import type { Role } from "@/lib/roles";
import type { ServerView } from "@/server/trpc/routers/mcp/view";
import { AddServer } from "./add-server";
import { ImportServers } from "./import-servers";
import { AgentGrantsPanel } from "./least-privilege-panel";
import { SecretsPanel } from "./secrets-panel";
import { ServerStatus } from "./server-status";
import { describeTransport } from "./transport-text";

const Tools = ({ tools }: Pick<ServerView, "tools">) => {
  const drifted = tools.filter(({ drift }) => drift !== null).length;

  return (
    <>
      {tools.length}
      {drifted > 0 ? (
        <Mark kind="tainted" bare className="ml-2">
          {drifted} drifted
        </Mark>
      ) : null}
    </>
  );
};

const COLUMNS: readonly Column<ServerView>[] = [
  {
    name: "Server",
    cell: ({ id, name }) => (
      <>
        <Link href={`/admin/mcp/${id}`} prefetch={false} className="font-medium hover:underline">
          {name}
        </Link>
        <span className="ml-2 font-mono text-xs text-muted">{id}</span>
      </>
    ),
  },
  { name: "Status", cell: ({ shownStatus }) => <ServerStatus status={shownStatus} /> },
  {
    name: "Connection",
    className: "max-w-80 truncate font-mono text-xs",
    hover: ({ transport, program }) => describeTransport(transport, program?.image),
    cell: ({ transport, program }) => (transport ? describeTransport(transport, program?.image) : <Mark kind="refused">Invalid</Mark>),
  },
  { name: "Tools", numeric: true, cell: ({ tools }) => <Tools tools={tools} /> },
  {
    name: "Allowed callers",
    className: "max-w-48 truncate",
    cell: ({ allowedAgents }) => (allowedAgents.length === 0 ? "none" : allowedAgents.join(", ")),
  },
  { name: "Protocol", headerClassName: WIDE, className: `font-mono text-xs ${WIDE}`, cell: ({ protocol }) => protocol ?? "–" },
  timeColumn("Updated", ({ updatedAt }) => updatedAt),
];

const NONE = (
  <EmptyState kind="nothing_yet" title="No MCP servers yet">
    A server provides tools. It starts in quarantine and can&apos;t be called until an admin reviews and activates it.
  </EmptyState>
);

const Servers = () => (
  <QueryState query={useQuery(useTRPC().mcp.list.queryOptions())} what="MCP servers" rows={4}>
    {(servers) => <ListTable label="MCP servers" columns={COLUMNS} rows={servers} rowKey={({ id }) => id} empty={NONE} />}
  </QueryState>
);

export const ServerList = ({ role }: { readonly role: Role }) => (
  <Page
    title="MCP servers"
    description="These servers provide tools. Only reviewed tools can be called, exactly as reviewed."
    actions={
      <>
        <ImportServers role={role} />
        <AddServer role={role} />
      </>
    }
  >
    <Servers />
    <AgentGrantsPanel role={role} />
    <SecretsPanel role={role} />
  </Page>
);
