"use client";

import { useQuery } from "@tanstack/react-query";
import { apiError } from "@/components/trpc/api-error";
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

const COLUMNS = ["Server", "Status", "Reached by", "Tools", "Allowed", "Protocol", "Changed"] as const;

const ServerTable = () => {
  const { data, error, refetch } = useQuery(useTRPC().mcp.list.queryOptions());
  if (error) {
    const { message, requestId } = apiError(error);

    return (
      <EmptyState
        kind="failed"
        title="The registry could not be read"
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
      <EmptyState kind="nothing_yet" title="No server is registered">
        A server brings tools. It starts in quarantine: nothing calls it before an admin has reviewed and activated it.
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

/** The registry: every server, its place in life, and who may call it. */
export const ServerList = ({ role }: { readonly role: Role }) => (
  <>
    <PageHeader
      title="MCP servers"
      description="Tools come from these servers. Only what was reviewed is called, and only as it was reviewed."
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
