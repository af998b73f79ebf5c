import type { Graph, GraphNode } from "@/lib/graph/document";
import { callsTool, getKind } from "@/lib/graph/kind-of";

/** Lists agents that may act for a node. */
export const listAgentIds = (node: GraphNode): readonly string[] => [
  ...new Set(
    getKind(node)
      .agents(node.config)
      .map(({ id }) => id),
  ),
];

/** Lists agents of nodes and checks, each once. */
export const listAllAgentIds = (graph: Graph): readonly string[] => [
  ...new Set([...graph.nodes.flatMap(listAgentIds), ...(graph.verification?.checks.map((check) => check.agent_id) ?? [])]),
];

/** Lists a node's references to other nodes, besides edges. */
export const listLinkTargets = (node: GraphNode, role: "route" | "part"): readonly string[] =>
  getKind(node).links.flatMap((link) => (link.role === role ? link.targets(node.config) : []));

export const listDeclaredTargets = (node: GraphNode): readonly string[] => listLinkTargets(node, "route");

/** Lists a node's tools and undo. */
export const listToolRefs = (node: GraphNode): readonly { readonly server: string; readonly tool: string }[] => {
  const called = callsTool(node) ? [{ server: node.config.server, tool: node.config.tool }] : [];
  const { compensation } = node;

  return compensation ? [...called, { server: compensation.server, tool: compensation.tool }] : called;
};
