import { z } from "zod";
import { AppError } from "@/lib/errors";
import { computeContentHash } from "@/lib/graph/file";
import { uuidSchema } from "@/lib/ids";
import { getGraph, isGraphDeleted } from "@/server/store/graphs/graphs";
import { createProcedure } from "@/server/trpc/init";

export const graphGet = createProcedure("graph.read")
  .input(z.strictObject({ id: uuidSchema }))
  .query(async ({ ctx, input }) => {
    const draft = await getGraph(ctx.workspaceId, input.id);
    if (!draft) throw new AppError("not_found");

    return { ...draft, hash: computeContentHash(draft.document), isDeleted: await isGraphDeleted(ctx.workspaceId, input.id) };
  });
