import type { GraphNode } from "@/lib/graph/document";

const present = <T>(items: readonly (T | undefined)[]): T[] => items.filter((item) => item !== undefined);

/** Lists agents that use a node's grants; judges see only their input. */
export const listActingAgentIds = (node: GraphNode): readonly string[] => {
  switch (node.kind) {
    case "agent":
    case "supervisor":
    case "extract":
      return [node.config.agent_id];
    case "synthesizer":
      return present([node.config.agent_id]);
    case "map":
      return present([node.config.synthesizer?.agent_id]);
    case "voting":
      return [...new Set(node.config.voters.map((voter) => voter.agent_id))];
    case "evolution":
      return [node.config.candidate_id];
    case "reflection":
      return node.config.extractor.type === "agent" ? [node.config.extractor.agent_id] : [];
    case "verifier":
    case "tool":
    case "router":
    case "transform":
    case "approval":
    case "subgraph":
    case "review":
    case "judge":
      return [];
    default:
      return node satisfies never;
  }
};

/** Returns whether models see the node's reads. */
export const isShownHandles = (node: GraphNode): boolean => {
  switch (node.kind) {
    case "agent":
    case "supervisor":
    case "voting":
    case "evolution":
    case "synthesizer":
    case "reflection":
      return listActingAgentIds(node).length > 0;
    case "verifier":
      return node.config.check.type === "judge";
    case "map":
    case "extract":
    case "review":
    case "judge":
    case "tool":
    case "router":
    case "transform":
    case "approval":
    case "subgraph":
      return false;
    default:
      return node satisfies never;
  }
};

/** Lists acting agents with tools; extracting ones are quarantined. */
export const listCallingAgentIds = (node: GraphNode): readonly string[] => (node.kind === "extract" ? [] : listActingAgentIds(node));
