import type { Metadata } from "next";
import { GraphEditor } from "@/components/canvas/graph-editor";
import { HydrateClient, prefetch, requireSession, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Graph" };

type Props = { readonly params: Promise<{ id: string }> };

const GraphPage = async ({ params }: Props) => {
  const [{ id }, { role, user, workspace }] = await Promise.all([params, requireSession()]);
  await prefetch(trpc.graphs.get.queryOptions({ id }), trpc.graphs.catalog.queryOptions());

  return (
    <HydrateClient>
      <GraphEditor id={id} role={role} owner={`${workspace.id} ${user.id}`} />
    </HydrateClient>
  );
};

export default GraphPage;
