import { AppError } from "@/lib/errors";
import type { Graph } from "@/lib/graph/document";
import { findFreeDocumentId } from "@/server/store/graphs/document-ids";
import { createGraph, getGraph } from "@/server/store/graphs/graphs";

type Imported = { readonly id: string; readonly documentId: string };

type Importing = {
  readonly id?: string;
  readonly keepsId?: boolean;
};

/** Creates a draft under a free document id. @throws AppError conflict for a taken id that is to be kept */
export const importGraph = async (
  workspaceId: string,
  authorId: string,
  document: Graph,
  { id, keepsId = false }: Importing = {},
): Promise<Imported> => {
  const earlier = id === undefined ? null : await getGraph(workspaceId, id);
  if (earlier) return { id: earlier.id, documentId: earlier.document.id };
  const documentId = await findFreeDocumentId(workspaceId, document.id);
  if (keepsId && documentId !== document.id) {
    throw new AppError("conflict", { message: `A graph, or a deleted one, has had the id ${document.id}.` });
  }
  const graph = await createGraph(workspaceId, { document: { ...document, id: documentId }, authorId }, id);

  return { id: graph.id, documentId: graph.document.id };
};
