import { listAgents } from "@/server/store/agents/agents";
import { createProcedure } from "@/server/trpc/init";

export const agentList = createProcedure("agent.read").query(({ ctx }) => listAgents(ctx.workspaceId));
