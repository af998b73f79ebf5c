import { z } from "zod";
import { uuidSchema } from "@/lib/ids";
import { listVersions } from "@/server/store/graph-versions";
import { procedure } from "@/server/trpc/init";

/** Published versions, newest first. */
export const graphVersions = procedure("graph.read")
  .input(z.strictObject({ id: uuidSchema }))
  .query(({ ctx, input }) => listVersions(ctx.workspaceId, input.id));
