import type { Metadata } from "next";
import { DeletedGraphPage } from "@/components/canvas/deleted-graph-page";
import { GraphEditor } from "@/components/canvas/graph-editor";
import { HydrateClient, prefetch, readPrefetched, requireSession, titleFrom, trpc } from "@/server/trpc/rsc";

type Props = { readonly params: Promise<{ id: string }> };

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => {
  const { id } = await params;

  return titleFrom(trpc.graphs.get.queryOptions({ id }), "Graph", ({ document }) => document.name);
};

const GraphPage = async ({ params }: Props) => {
  const [{ id }, { role, user, workspace }] = await Promise.all([params, requireSession()]);
  await prefetch(trpc.graphs.get.queryOptions({ id }), trpc.graphs.catalog.queryOptions());
  const draft = readPrefetched(trpc.graphs.get.queryKey({ id }));
  if (draft?.isDeleted === true) return <DeletedGraphPage id={id} name={draft.document.name} role={role} />;

  return (
    <HydrateClient>
      <GraphEditor id={id} role={role} owner={`${workspace.id} ${user.id}`} />
    </HydrateClient>
  );
};

export default GraphPage;
