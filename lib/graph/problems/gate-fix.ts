import type { Graph, GraphNode, NodeOf } from "@/lib/graph/document";
import type { EditOperation } from "@/lib/graph/edit";
import { generateId } from "@/lib/graph/edit-nodes";
import { getNodeName, type Facts } from "@/lib/graph/facts/facts";
import { isModelCalled } from "@/lib/graph/facts/gates";
import type { Fix } from "./problem";

const STEP_PX = 280;
const ROW_PX = 104;

type Point = GraphNode["position"];

const isFree = (graph: Graph, { x, y }: Point): boolean =>
  graph.nodes.every(({ position }) => Math.abs(position.x - x) >= STEP_PX || Math.abs(position.y - y) >= ROW_PX);

/** Shifting everything from the node on creates no overlap. */
const roomBefore = (graph: Graph, node: GraphNode): { readonly position: Point; readonly moves: readonly EditOperation[] } => {
  const before = { x: node.position.x - STEP_PX, y: node.position.y };
  if (isFree(graph, before)) return { position: before, moves: [] };
  const moved = graph.nodes.filter(({ position }) => position.x >= node.position.x);
  const positions = Object.fromEntries(moved.map(({ id, position: { x, y } }) => [id, { x: x + STEP_PX, y }]));

  return { position: { ...node.position }, moves: [{ op: "move_nodes", positions }] };
};

export const createAlwaysAskFix = (node: GraphNode): Fix => ({
  title: "Always require approval",
  edits: [{ op: "replace_node", node: { ...node, approval: "always" } }],
});

/** Inserts an approval before a node. Map workers have no edges, and before models it shows no arguments: they get the setting. */
export const insertGateFix = (facts: Facts, node: GraphNode): Fix => {
  if (facts.masters.has(node.id) || isModelCalled(node)) return createAlwaysAskFix(node);
  const { position, moves } = roomBefore(facts.graph, node);
  const gate: NodeOf<"approval"> = {
    id: generateId(`approve_${node.id}`, facts.topology.ids),
    kind: "approval",
    title: `Approve ${getNodeName(node)}`.slice(0, 120),
    read_keys: [],
    write_keys: [],
    effect: "pure",
    approval: "by_rule",
    failure_policy: { attempts: 3, backoff: "exponential", backoff_ms: 1_000, timeout_ms: 120_000 },
    position,
    config: {
      prompt: `Allow ${getNodeName(node)}?`,
      review_keys: [],
      for_node: node.id,
      promote: [],
      role: "reviewer",
      quorum: 1,
      timeout_ms: 86_400_000,
    },
  };

  return { title: "Insert a gate", edits: [...moves, { op: "insert_before", before: node.id, node: gate }] };
};
