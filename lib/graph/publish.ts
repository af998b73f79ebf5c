/** What publishing freezes: the graph with the agents and pinned tools it uses, and nothing else of the registry. */
import type { Graph, PublishedGraph } from "@/lib/graph/document";
import type { ValidationContext } from "@/lib/graph/problems/facts";
import { toolId } from "@/lib/graph/tool-ref";

const byText = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/** Sorted, so that the order of the registry does not change the version's name. */
export const publishedGraphOf = (graph: Graph, context: ValidationContext): PublishedGraph => {
  const agentIds = new Set(graph.nodes.flatMap((node) => (node.kind === "agent" ? [node.config.agent_id] : [])));
  const agents = context.agents.filter((agent) => agentIds.has(agent.id)).toSorted((a, b) => byText(a.id, b.id));
  const used = new Set([
    ...graph.nodes.flatMap((node) => (node.kind === "tool" ? [toolId(node.config.server, node.config.tool)] : [])),
    ...agents.flatMap((agent) => agent.tools.map((tool) => toolId(tool.server, tool.tool))),
  ]);
  const tools = context.tools
    .filter((tool) => used.has(toolId(tool.server, tool.tool)))
    .toSorted((a, b) => byText(toolId(a.server, a.tool), toolId(b.server, b.tool)));

  return { graph, agents, tools };
};
