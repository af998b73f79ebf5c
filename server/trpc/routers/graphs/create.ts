import { z } from "zod";
import { createEmptyGraph } from "@/lib/graph/new-graph";
import { findFreeDocumentId } from "@/server/store/graphs/document-ids";
import { createGraph } from "@/server/store/graphs/graphs";
import { visibleNameSchema } from "@/lib/visible-name";
import { createProcedure } from "@/server/trpc/init";

export const graphCreate = createProcedure("graph.edit")
  .input(z.strictObject({ name: visibleNameSchema(120) }))
  .mutation(async ({ ctx, input }) => {
    const empty = createEmptyGraph(input.name);
    const document = { ...empty, id: await findFreeDocumentId(ctx.workspaceId, empty.id) };
    const { id } = await createGraph(ctx.workspaceId, { document, authorId: ctx.user.id });

    return { id };
  });
