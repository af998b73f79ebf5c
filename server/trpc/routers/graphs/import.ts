import { z } from "zod";
import { graphSchema } from "@/lib/graph/document";
import { createGraph } from "@/server/store/graphs/graphs";
import { findFreeDocumentId } from "@/server/store/graphs/document-ids";
import { createProcedure } from "@/server/trpc/init";

/** Keeps a free id. */
export const graphImport = createProcedure("graph.edit")
  .input(z.strictObject({ document: graphSchema }))
  .mutation(async ({ ctx, input: { document } }) => {
    const id = await findFreeDocumentId(ctx.workspaceId, document.id);
    const graph = await createGraph(ctx.workspaceId, { document: { ...document, id }, authorId: ctx.user.id });

    return { id: graph.id, documentId: id };
  });
