import { z } from "zod";
import { AppError } from "@/lib/errors";
import { graphSchema } from "@/lib/graph/document";
import { uuidSchema } from "@/lib/ids";
import { saveRevision } from "@/server/store/graphs";
import { procedure } from "@/server/trpc/init";

/** Appends a revision. When somebody saved in between, the answer carries what is newest now; nothing is overwritten. */
export const graphSave = procedure("graph.edit")
  .input(z.strictObject({ id: uuidSchema, revision: z.number().int().min(1), document: graphSchema }))
  .mutation(async ({ ctx, input: { id, revision, document } }) => {
    const saved = await saveRevision(ctx.workspaceId, id, { revision, document, authorId: ctx.user.id });
    if (!saved) throw new AppError("not_found");

    return saved.ok ? { status: "saved" as const, revision: saved.value } : { status: "conflict" as const, ...saved.error };
  });
