import type { Metadata } from "next";
import { GraphList } from "@/components/canvas/graph-list";
import { HydrateClient, prefetch, requireSession, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Graphs" };

const GraphsPage = async () => {
  const { role } = await requireSession();
  await prefetch(trpc.graphs.list.queryOptions());

  return (
    <HydrateClient>
      <GraphList role={role} />
    </HydrateClient>
  );
};

export default GraphsPage;
