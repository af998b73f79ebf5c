import type { GraphNode, PublishedGraph } from "@/lib/graph/document";
import { asksPerson } from "@/lib/graph/kind-of";
import type { Approvers, Demand } from "@/lib/people/approvers";

const demandOf = ({ groups, people }: Approvers, count: number): Demand => ({ groups, people, count });

export const listOwnDemands = ({ approvers }: GraphNode, quorum: number): readonly Demand[] =>
  approvers ? [demandOf(approvers, quorum)] : [];

/** Lists other demands on a node's calls: of worker, approval nodes and enclosing graphs. */
export const listCallDemands = ({ graph }: PublishedGraph, node: GraphNode, acting: GraphNode = node): readonly Demand[] => [
  ...(acting.id === node.id ? [] : listOwnDemands(acting, 1)),
  ...graph.nodes.flatMap((other) =>
    asksPerson(other) && (other.config.for_node === node.id || other.config.for_node === acting.id)
      ? listOwnDemands(other, other.config.quorum)
      : [],
  ),
];
