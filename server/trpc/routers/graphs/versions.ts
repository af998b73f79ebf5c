import { z } from "zod";
import { uuidSchema } from "@/lib/ids";
import { listVersions } from "@/server/store/graphs/versions";
import { withPublishers } from "@/server/store/graphs/publish-requests";
import { createProcedure } from "@/server/trpc/init";

export const graphVersions = createProcedure("graph.read")
  .input(z.strictObject({ id: uuidSchema }))
  .query(async ({ ctx, input }) => withPublishers(ctx.workspaceId, await listVersions(ctx.workspaceId, input.id)));
