import type { GraphNode } from "@/lib/graph/document";
import { fillsForm, getKind } from "@/lib/graph/kind-of";

/** Lists agents that use a node's grants, without judges. */
export const listActingAgentIds = (node: GraphNode): readonly string[] => [
  ...new Set(
    getKind(node)
      .agents(node.config)
      .flatMap(({ id, role }) => (role === "judge" ? [] : [id])),
  ),
];

/** Returns whether models see the node's reads. */
export const isShownHandles = (node: GraphNode): boolean => getKind(node).isolates(node.config) === true;

/** Lists acting agents with tools; extracting ones are quarantined. */
export const listCallingAgentIds = (node: GraphNode): readonly string[] => (fillsForm(node) ? [] : listActingAgentIds(node));
