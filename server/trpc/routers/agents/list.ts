import { listAgents } from "@/server/store/agents/agents";
import { procedure } from "@/server/trpc/init";

export const agentList = procedure("agent.read").query(({ ctx }) => listAgents(ctx.workspaceId));
