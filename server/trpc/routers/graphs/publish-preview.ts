import { z } from "zod";
import { uuidSchema } from "@/lib/ids";
import { publishCase } from "@/server/architect/publishing";
import { getNumberOfVersion } from "@/server/store/graphs/versions";
import { createProcedure } from "@/server/trpc/init";
import { readAuthority } from "@/server/web/authority";
import { listMissing } from "@/server/web/promotion";

export const graphPublishPreview = createProcedure("graph.read")
  .input(z.strictObject({ id: uuidSchema, revision: z.number().int().min(1) }))
  .query(async ({ ctx, input }) => {
    const { problems, published, hash, changes, secondPerson, lineage } = await publishCase(ctx.workspaceId, input.id, input.revision);
    const [into] = (await readAuthority(ctx.workspaceId)).environments.list;

    return {
      problems,
      hash,
      changes,
      secondPerson,
      into: into ? { title: into.title, ...(await listMissing(ctx.workspaceId, published, into.id)) } : null,
      base: lineage.base,
      sameAs: await getNumberOfVersion(ctx.workspaceId, input.id, hash),
      byArchitect: lineage.byArchitect,
      untrusted: lineage.untrusted,
    };
  });
