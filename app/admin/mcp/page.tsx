import type { Metadata } from "next";
import { ServerList } from "@/components/mcp/server-list";
import { HydrateClient, prefetch, requireSession, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "MCP servers" };

const McpPage = async () => {
  const { role } = await requireSession();
  await prefetch(trpc.mcp.list.queryOptions());

  return (
    <HydrateClient>
      <ServerList role={role} />
    </HydrateClient>
  );
};

export default McpPage;
