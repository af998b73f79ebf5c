import { z } from "zod";
import { uuidSchema } from "@/lib/ids";
import { publishCase } from "@/server/architect/publishing";
import { numberOfVersion } from "@/server/store/graphs/versions";
import { procedure } from "@/server/trpc/init";

/** What publishing the draft would change, the name it would have, and whether one person is enough. */
export const graphPublishPreview = procedure("graph.read")
  .input(z.strictObject({ id: uuidSchema, revision: z.number().int().min(1) }))
  .query(async ({ ctx, input }) => {
    const { problems, hash, changes, secondPerson, lineage } = await publishCase(ctx.workspaceId, input.id, input.revision);

    return {
      problems,
      hash,
      changes,
      secondPerson,
      base: lineage.base,
      /** The number of the version that has exactly this content already. */
      sameAs: await numberOfVersion(ctx.workspaceId, input.id, hash),
      byArchitect: lineage.byArchitect,
      untrusted: lineage.untrusted,
    };
  });
