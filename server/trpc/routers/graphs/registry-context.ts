/** The registry as a graph's author may use it. Canvas and publishing look at the same. */
import type { ValidationContext } from "@/lib/graph/problems/facts";
import { listAgents } from "@/server/store/agents";
import { listPinnedTools } from "@/server/store/mcp";

export const registryContext = async (workspaceId: string): Promise<ValidationContext> => {
  const [agents, tools] = await Promise.all([listAgents(workspaceId), listPinnedTools(workspaceId)]);

  return { agents: agents.map((row) => row.agent), tools };
};
