import { listAgents, type AgentRow } from "@/server/store/agents/agents";
import { createProcedure } from "@/server/trpc/init";
import { getUsageFacts, type UsageFacts } from "@/server/trpc/routers/mcp/usage-facts";

const usageOf = ({ agent }: AgentRow, { useOf }: UsageFacts) => ({
  id: agent.id,
  name: agent.name,
  tools: agent.tools.map(({ server, tool }) => ({
    server,
    tool,
    ...useOf((call) => call.caller === agent.id && call.server === server && call.tool === tool),
  })),
});

export const agentUsage = createProcedure("agent.read").query(async ({ ctx }) => {
  const [rows, facts] = await Promise.all([listAgents(ctx.workspaceId), getUsageFacts(ctx.workspaceId)]);

  return { runs: facts.runs, agents: rows.filter(({ agent }) => agent.tools.length > 0).map((row) => usageOf(row, facts)) };
});
