import { listGraphs } from "@/server/store/graphs/graphs";
import { createProcedure } from "@/server/trpc/init";

export const graphList = createProcedure("graph.read").query(({ ctx }) => listGraphs(ctx.workspaceId));
