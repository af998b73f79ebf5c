import { z } from "zod";
import { uuidSchema } from "@/lib/ids";
import { publishCase } from "@/server/architect/publishing";
import { getNumberOfVersion } from "@/server/store/graphs/versions";
import { createProcedure } from "@/server/trpc/init";

export const graphPublishPreview = createProcedure("graph.read")
  .input(z.strictObject({ id: uuidSchema, revision: z.number().int().min(1) }))
  .query(async ({ ctx, input }) => {
    const { problems, hash, changes, secondPerson, lineage } = await publishCase(ctx.workspaceId, input.id, input.revision);

    return {
      problems,
      hash,
      changes,
      secondPerson,
      base: lineage.base,
      sameAs: await getNumberOfVersion(ctx.workspaceId, input.id, hash),
      byArchitect: lineage.byArchitect,
      untrusted: lineage.untrusted,
    };
  });
