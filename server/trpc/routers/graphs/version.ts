import { z } from "zod";
import { AppError } from "@/lib/errors";
import { hexDigestSchema } from "@/lib/hash";
import { getVersion } from "@/server/store/graphs/versions";
import { withPublishers } from "@/server/store/graphs/publish-requests";
import { createProcedure } from "@/server/trpc/init";

export const graphVersion = createProcedure("graph.read")
  .input(z.strictObject({ hash: hexDigestSchema }))
  .query(async ({ ctx, input }) => {
    const found = await getVersion(ctx.workspaceId, input.hash);
    const [version] = await withPublishers(ctx.workspaceId, found ? [found] : []);
    if (!version) throw new AppError("not_found");

    return version;
  });
