import { listGraphs } from "@/server/store/graphs/graphs";
import { procedure } from "@/server/trpc/init";

export const graphList = procedure("graph.read").query(({ ctx }) => listGraphs(ctx.workspaceId));
