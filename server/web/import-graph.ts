import type { Graph } from "@/lib/graph/document";
import { findFreeDocumentId } from "@/server/store/graphs/document-ids";
import { createGraph, getGraph } from "@/server/store/graphs/graphs";

type Imported = { readonly id: string; readonly documentId: string };

/** Creates a draft under a free document id. @param id of an idempotent import */
export const importGraph = async (workspaceId: string, authorId: string, document: Graph, id?: string): Promise<Imported> => {
  const earlier = id === undefined ? null : await getGraph(workspaceId, id);
  if (earlier) return { id: earlier.id, documentId: earlier.document.id };
  const documentId = await findFreeDocumentId(workspaceId, document.id);
  const graph = await createGraph(workspaceId, { document: { ...document, id: documentId }, authorId }, id);

  return { id: graph.id, documentId: graph.document.id };
};
