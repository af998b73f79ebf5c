import { z } from "zod";
import { hexDigestSchema } from "@/lib/hash";
import { uuidSchema } from "@/lib/ids";
import { createProcedure } from "@/server/trpc/init";
import { askForSecondPerson } from "@/server/web/publishing";

export const publishRequestCreate = createProcedure("graph.publish")
  .input(z.strictObject({ id: uuidSchema, revision: z.number().int().min(1), hash: hexDigestSchema }))
  .mutation(({ ctx, input }) => askForSecondPerson(ctx.workspaceId, ctx.author, input));
