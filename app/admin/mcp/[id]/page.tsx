import type { Metadata } from "next";
import { ServerPage } from "@/components/mcp/server-page";
import { HydrateClient, prefetch, requireSession, titleFrom, trpc } from "@/server/trpc/rsc";

type Props = { readonly params: Promise<{ id: string }> };

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => {
  const { id } = await params;

  return titleFrom(trpc.mcp.get.queryOptions({ id }), "MCP server", ({ name }) => name);
};

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
