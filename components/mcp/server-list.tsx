"use client";

import { useQuery } from "@tanstack/react-query";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { Panel } from "@/components/ui/panel";
import { SkeletonRows } from "@/components/ui/skeleton";
import { Table, TableBody, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import type { Role } from "@/lib/roles";
import { AddServer } from "./add-server";
import { ImportServers } from "./import-servers";
import { AgentGrantsPanel } from "./least-privilege-panel";
import { SecretsPanel } from "./secrets-panel";
import { ServerRow } from "./server-row";

const COLUMNS = ["Server", "Status", "Connection", "Tools", "Allowed callers", "Protocol", "Updated"] as const;

const ServerTable = () => {
  const { data, error, refetch } = useQuery(useTRPC().mcp.list.queryOptions());
  if (error) {
    const { message, requestId } = toApiError(error);

    return (
      <EmptyState
        kind="failed"
        title="Couldn't load MCP servers"
        requestId={requestId}
        action={<Button onClick={() => void refetch()}>Try again</Button>}
      >
        {message}
      </EmptyState>
    );
  }
  if (!data) return <SkeletonRows rows={4} />;
  if (data.length === 0) {
    return (
      <EmptyState kind="nothing_yet" title="No MCP servers yet">
        A server provides tools. It starts in quarantine and can&apos;t be called until an admin reviews and activates it.
      </EmptyState>
    );
  }

  return (
    <Table aria-label="MCP servers">
      <TableHead>
        <TableRow>
          {COLUMNS.map((column) => (
            <TableHeader key={column} numeric={column === "Tools"}>
              {column}
            </TableHeader>
          ))}
        </TableRow>
      </TableHead>
      <TableBody>
        {data.map((server) => (
          <ServerRow key={server.id} server={server} />
        ))}
      </TableBody>
    </Table>
  );
};

export const ServerList = ({ role }: { readonly role: Role }) => (
  <>
    <PageHeader
      title="MCP servers"
      description="These servers provide tools. Only reviewed tools can be called, exactly as reviewed."
      actions={
        <>
          <ImportServers role={role} />
          <AddServer role={role} />
        </>
      }
    />
    <div className="flex flex-col gap-4 p-6">
      <Panel>
        <ServerTable />
      </Panel>
      <AgentGrantsPanel role={role} />
      <SecretsPanel role={role} />
    </div>
  </>
);
