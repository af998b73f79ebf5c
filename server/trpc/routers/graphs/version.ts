import { z } from "zod";
import { AppError } from "@/lib/errors";
import { hexDigestSchema } from "@/lib/hash";
import { getVersion } from "@/server/store/graph-versions";
import { procedure } from "@/server/trpc/init";

/** One published version, whole. */
export const graphVersion = procedure("graph.read")
  .input(z.strictObject({ hash: hexDigestSchema }))
  .query(async ({ ctx, input }) => {
    const version = await getVersion(ctx.workspaceId, input.hash);
    if (!version) throw new AppError("not_found");

    return version;
  });
