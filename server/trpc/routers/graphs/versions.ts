import { z } from "zod";
import { findLive, hasVersion } from "@/lib/environments/environment-fold";
import { uuidSchema } from "@/lib/ids";
import { listVersions } from "@/server/store/graphs/versions";
import { withPublishers } from "@/server/store/graphs/publish-requests";
import { createProcedure } from "@/server/trpc/init";
import { readAuthority } from "@/server/web/authority";

export const graphVersions = createProcedure("graph.read")
  .input(z.strictObject({ id: uuidSchema }))
  .query(async ({ ctx, input }) => {
    const [versions, { environments: fold }] = await Promise.all([listVersions(ctx.workspaceId, input.id), readAuthority(ctx.workspaceId)]);
    const isIn = (environment: string, hash: string): boolean => !fold.isSet || hasVersion(fold, environment, hash);
    const hashes = versions.map(({ hash }) => hash);
    const live = new Map(fold.list.map(({ id }) => [id, fold.isSet ? findLive(fold, id, hashes) : (hashes[0] ?? null)]));

    return (await withPublishers(ctx.workspaceId, versions)).map((version) => ({
      ...version,
      environments: fold.list.flatMap(({ id, title }) =>
        isIn(id, version.hash) ? [{ id, title, isLive: live.get(id) === version.hash }] : [],
      ),
    }));
  });
