import type { Metadata } from "next";
import { ServerPage } from "@/components/mcp/server-page";
import { HydrateClient, prefetch, requireSession, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "MCP server" };

type Props = { readonly params: Promise<{ id: string }> };

const McpServerPage = async ({ params }: Props) => {
  const { role } = await requireSession();
  const { id } = await params;
  await prefetch(trpc.mcp.get.queryOptions({ id }), trpc.agents.list.queryOptions());

  return (
    <HydrateClient>
      <ServerPage id={id} role={role} />
    </HydrateClient>
  );
};

export default McpServerPage;
