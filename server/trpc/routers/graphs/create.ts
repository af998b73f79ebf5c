import { z } from "zod";
import { newGraph } from "@/lib/graph/new-graph";
import { freeDocumentId } from "@/server/store/graphs/document-ids";
import { createGraph } from "@/server/store/graphs/graphs";
import { visibleNameSchema } from "@/lib/visible-name";
import { procedure } from "@/server/trpc/init";

/** A new, empty graph. */
export const graphCreate = procedure("graph.edit")
  .input(z.strictObject({ name: visibleNameSchema(120) }))
  .mutation(async ({ ctx, input }) => {
    const empty = newGraph(input.name);
    const document = { ...empty, id: await freeDocumentId(ctx.workspaceId, empty.id) };
    const { id } = await createGraph(ctx.workspaceId, { document, authorId: ctx.user.id });

    return { id };
  });
