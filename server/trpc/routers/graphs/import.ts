import { z } from "zod";
import { graphSchema } from "@/lib/graph/document";
import { createProcedure } from "@/server/trpc/init";
import { importGraph } from "@/server/web/import-graph";

/** Keeps a free id. */
export const graphImport = createProcedure("graph.edit")
  .input(z.strictObject({ document: graphSchema }))
  .mutation(({ ctx, input: { document } }) => importGraph(ctx.workspaceId, ctx.user.id, document));
