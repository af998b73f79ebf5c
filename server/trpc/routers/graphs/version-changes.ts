import { z } from "zod";
import { authorityOf } from "@/lib/architect/authority";
import { authorityDiff } from "@/lib/architect/authority-diff";
import { AppError } from "@/lib/errors";
import { hexDigestSchema } from "@/lib/hash";
import { getVersion, versionBefore } from "@/server/store/graphs/versions";
import { procedure } from "@/server/trpc/init";

/** A version's authority changes from its predecessor; `base` null: the first. */
export const graphVersionChanges = procedure("graph.read")
  .input(z.strictObject({ hash: hexDigestSchema }))
  .query(async ({ ctx, input }) => {
    const version = await getVersion(ctx.workspaceId, input.hash);
    if (!version) throw new AppError("not_found");
    const hash = await versionBefore(ctx.workspaceId, version.graphId, version.number);
    const before = hash === null ? null : await getVersion(ctx.workspaceId, hash);
    const changes = authorityDiff(before ? authorityOf(before.published) : null, authorityOf(version.published));

    return { base: before && { hash: before.hash, number: before.number }, changes };
  });
