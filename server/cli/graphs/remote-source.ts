import { graphSchema, type Graph } from "@/lib/graph/document";
import { CliFailure } from "@/server/cli/host";
import type { Remote } from "@/server/cli/remote/client";
import type { GraphSource } from "./source";

const readGraph = (document: unknown): Graph => {
  const graph = graphSchema.safeParse(document);
  if (!graph.success) throw new CliFailure("the server sent a document that is no graph of this version of Countersign");

  return graph.data;
};

export const openRemoteSource = ({ call }: Remote): GraphSource => ({
  list: async (documentId) => {
    const ids: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const at: string = cursor;
      const page = await call("listGraphs", {
        limit: 100,
        ...(at === "" ? {} : { cursor: at }),
        ...(documentId === null ? {} : { documentId }),
      });
      ids.push(...page.items.map(({ id }) => id));
      cursor = page.items.length === 0 ? null : page.nextCursor;
    }

    return ids;
  },
  readDraft: async (graphId) => {
    const draft = await call("getGraph", { graphId });

    return { ...draft, document: readGraph(draft.document) };
  },
  readVersion: async (graphId, number) => {
    const { hash, document } = await call("getVersion", { graphId, ...(number === null ? {} : { number }) });

    return { hash, document: readGraph(document) };
  },
  compare: (graphId, before, after) => call("compareGraph", { graphId, before, after }),
  create: async (document) => (await call("importGraph", { document, keepsId: true })).id,
  save: async (graphId, revision, document) => (await call("saveDraft", { graphId, revision, document })).revision,
  listRequests: async (graphId) => (await call("listPublicationRequests", { graphId })).items,
  ask: async ({ id, revision, hash }) => {
    const { status, id: request, problems = [] } = await call("requestPublication", { graphId: id, revision, hash });
    if (status === "requested" && request !== undefined) return { status, id: request };

    return { status: "invalid_graph", problems };
  },
  listPlaces: async (graphId) => (await call("listEnvironments", { graphId })).items,
  listPromotions: async (graphId) => (await call("listPromotionRequests", { graphId })).items,
  askToPromote: async (graphId, { base, ...wanted }) =>
    (await call("requestPromotion", { graphId, ...wanted, ...(base === null ? {} : { base }) })).id,
});
