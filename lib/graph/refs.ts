import type { Graph, GraphNode } from "@/lib/graph/document";

const present = <T>(items: readonly (T | undefined)[]): T[] => items.filter((item) => item !== undefined);

/** Lists agents that may act for a node. */
export const listAgentIds = (node: GraphNode): readonly string[] => {
  switch (node.kind) {
    case "agent":
      return [...new Set(present([node.config.agent_id, node.config.annealing?.evaluator_id]))];
    case "supervisor":
    case "extract":
      return [node.config.agent_id];
    case "review":
      return [...new Set(node.config.reviewers.flatMap((reviewer) => (reviewer.type === "agent" ? [reviewer.agent_id] : [])))];
    case "map":
      return present([node.config.synthesizer?.agent_id]);
    case "voting":
      return [...new Set(present([...node.config.voters.map((voter) => voter.agent_id), node.config.judge_id]))];
    case "evolution":
      return [
        ...new Set(present([node.config.candidate_id, "agent_id" in node.config.fitness ? node.config.fitness.agent_id : undefined])),
      ];
    case "verifier":
      return node.config.check.type === "judge" ? [node.config.check.agent_id] : [];
    case "synthesizer":
      return present([node.config.agent_id]);
    case "reflection":
      return node.config.extractor.type === "agent" ? [node.config.extractor.agent_id] : [];
    case "tool":
    case "router":
    case "transform":
    case "approval":
    case "subgraph":
    case "judge":
      return [];
    default:
      return node satisfies never;
  }
};

/** Lists agents of nodes and checks, each once. */
export const listAllAgentIds = (graph: Graph): readonly string[] => [
  ...new Set([...graph.nodes.flatMap(listAgentIds), ...(graph.verification?.checks.map((check) => check.agent_id) ?? [])]),
];

/** Lists route targets besides edges. */
export const listDeclaredTargets = (node: GraphNode): readonly string[] => {
  if (node.kind === "approval") return present([node.config.rejection_node, node.config.changes_node]);
  if (node.kind === "judge") return present([node.config.rejection_node]);
  if (node.kind === "review") return present([node.config.rework?.node]);
  if (node.kind === "supervisor") return node.config.managed_nodes;

  return node.kind === "agent" ? (node.config.swarm?.peers ?? []) : [];
};

/** Lists a node's tools, its undo included. */
export const listToolRefs = (node: GraphNode): readonly { readonly server: string; readonly tool: string }[] => {
  const called = node.kind === "tool" ? [{ server: node.config.server, tool: node.config.tool }] : [];
  const { compensation } = node;

  return compensation ? [...called, { server: compensation.server, tool: compensation.tool }] : called;
};
