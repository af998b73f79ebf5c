import { z } from "zod";
import { readAuthority } from "@/lib/architect/authority";
import { diffAuthority } from "@/lib/architect/authority-diff";
import { AppError } from "@/lib/errors";
import { hexDigestSchema } from "@/lib/hash";
import { getVersion, findVersionBefore } from "@/server/store/graphs/versions";
import { createProcedure } from "@/server/trpc/init";

/** Lists authority changes; `base` null: the first version. */
export const graphVersionChanges = createProcedure("graph.read")
  .input(z.strictObject({ hash: hexDigestSchema }))
  .query(async ({ ctx, input }) => {
    const version = await getVersion(ctx.workspaceId, input.hash);
    if (!version) throw new AppError("not_found");
    const hash = await findVersionBefore(ctx.workspaceId, version.graphId, version.number);
    const before = hash === null ? null : await getVersion(ctx.workspaceId, hash);
    const changes = diffAuthority(before ? readAuthority(before.published) : null, readAuthority(version.published));

    return { base: before && { hash: before.hash, number: before.number }, changes };
  });
