/** Declared targets and workers, not removable on the canvas. */
import type { Edge } from "@xyflow/react";
import type { GraphNode } from "@/lib/graph/document";
import { arrow, LABEL } from "./edge-style";

type Joint = {
  /** Unique with node and target, also among edges. */
  readonly name: string;
  readonly target: string;
  /** Absent where all would be equal. */
  readonly label?: string;
  readonly said: string;
  readonly color: string;
  /** Workers have no arrow: the run never visits them. */
  readonly isPart?: true;
};

const jointsOf = (node: GraphNode): readonly Joint[] => {
  switch (node.kind) {
    case "approval":
      return [
        ...(node.config.rejection_node === undefined
          ? []
          : [
              {
                name: "rejection",
                target: node.config.rejection_node,
                label: "rejected",
                said: `On rejection, ${node.id} goes to ${node.config.rejection_node}`,
                color: "var(--refused)",
              },
            ]),
        ...(node.config.changes_node === undefined
          ? []
          : [
              {
                name: "changes",
                target: node.config.changes_node,
                label: "changes",
                said: `On a request for changes, ${node.id} goes to ${node.config.changes_node}`,
                color: "var(--control)",
              },
            ]),
      ];
    case "supervisor":
      return [...new Set(node.config.managed_nodes)].map((target) => ({
        name: "managed",
        target,
        said: `${node.id} can choose ${target}`,
        color: "var(--control)",
      }));
    case "agent":
      return [...new Set(node.config.swarm?.peers)].map((target) => ({
        name: "peer",
        target,
        label: "can hand off",
        said: `${node.id} can hand off to ${target}`,
        color: "var(--control)",
      }));
    case "map":
      return [
        {
          name: "worker",
          target: node.config.worker_node,
          label: "for each item",
          said: `${node.config.worker_node} runs for ${node.id}, once per item`,
          color: "var(--faint)",
          isPart: true,
        },
      ];
    case "review":
      return node.config.rework
        ? [
            {
              name: "rework",
              target: node.config.rework.node,
              label: "send back",
              said: `${node.id} sends rejected work back to ${node.config.rework.node}`,
              color: "var(--control)",
            },
          ]
        : [];
    case "judge":
      return node.config.rejection_node === undefined
        ? []
        : [
            {
              name: "rejected",
              target: node.config.rejection_node,
              label: "if rejected",
              said: `On rejection, ${node.id} goes to ${node.config.rejection_node}`,
              color: "var(--control)",
            },
          ];
    case "tool":
    case "router":
    case "transform":
    case "extract":
    case "voting":
    case "evolution":
    case "verifier":
    case "synthesizer":
    case "reflection":
    case "subgraph":
      return [];
    default:
      return node satisfies never;
  }
};

const joined = (node: GraphNode, { name, target, label, said, color, isPart }: Joint): Edge => ({
  id: `${name}:${node.id}:${target}`,
  type: "way",
  source: node.id,
  target,
  ...(label === undefined ? {} : { label }),
  ariaLabel: said,
  selectable: false,
  focusable: false,
  style: isPart
    ? { stroke: color, strokeWidth: 4, strokeDasharray: "0.1 8", strokeLinecap: "round" }
    : { stroke: color, strokeWidth: 1.25, strokeDasharray: "2 4" },
  ...LABEL,
  ...(isPart ? {} : { markerEnd: arrow(color) }),
});

/** Non-edge connections of a node; targets may be missing. */
export const listDeclaredEdges = (node: GraphNode): readonly Edge[] => jointsOf(node).map((joint) => joined(node, joint));
