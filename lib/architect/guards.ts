import type { Graph, NodeOf } from "@/lib/graph/document";
import { asksPerson } from "@/lib/graph/kind-of";
import { listDeclaredTargets } from "@/lib/graph/refs";
import { findReachable, type Topology } from "@/lib/graph/topology";

type Approval = NodeOf<"approval">;

const waysWithoutYes = (graph: Graph, topology: Topology, gate: string): Map<string, readonly string[]> => {
  const ways = new Map(topology.successors);
  const refused = (topology.out.get(gate) ?? []).flatMap((edge) => (edge.kind === "error" || edge.kind === "timeout" ? [edge.target] : []));
  const node = graph.nodes.find(({ id }) => id === gate);
  ways.set(gate, [...refused, ...(node ? listDeclaredTargets(node).filter((id) => topology.ids.has(id)) : [])]);

  return ways;
};

/** Finds the approvals on every path to each node. */
export const guardsOf = (graph: Graph, topology: Topology): ReadonlyMap<string, readonly Approval[]> => {
  const guards = new Map<string, Approval[]>();
  if (!topology.ids.has(graph.start_node)) return guards;
  for (const gate of graph.nodes) {
    if (!asksPerson(gate) || !topology.reachable.has(gate.id)) continue;
    const around = findReachable([graph.start_node], waysWithoutYes(graph, topology, gate.id));
    for (const id of topology.reachable) {
      if (around.has(id)) continue;
      guards.set(id, [...(guards.get(id) ?? []), gate]);
    }
  }

  return guards;
};

export type Strength = {
  /** Decisions, the node's own included. */
  readonly people: number;
  /** Highest quorum of one approval. */
  readonly quorum: number;
  /** Paths shown to approvers. */
  readonly shown: readonly string[];
  /** One approves exactly this node's effect. */
  readonly isExact: boolean;
  /** Decisions that need a passkey. */
  readonly signed: number;
};

/** Measures approval. @param asks the node always requires approval */
export const strengthOf = (node: string, asks: boolean, gates: readonly Approval[]): Strength => {
  const quorums = [...gates.map((gate) => gate.config.quorum), ...(asks ? [1] : [])];

  return {
    people: quorums.reduce((sum, one) => sum + one, 0),
    quorum: Math.max(0, ...quorums),
    shown: [...new Set(gates.flatMap((gate) => gate.config.review_keys))].toSorted(),
    signed: gates.filter((gate) => gate.config.passkey === true).length,
    isExact: asks || gates.some((gate) => gate.config.for_node === node),
  };
};
