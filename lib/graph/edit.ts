import type { Graph, GraphEdge, GraphNode, MemoryKey } from "@/lib/graph/document";
import { insertBefore, removeNode, renameNode } from "./edit-nodes";
import { moveItem } from "./edit-order";

type Point = { readonly x: number; readonly y: number };

export type GraphSettings = Partial<
  Pick<
    Graph,
    | "name"
    | "description"
    | "inputs"
    | "start_node"
    | "end_nodes"
    | "strict_taint"
    | "isolate_untrusted"
    | "passkey_for"
    | "verification"
    | "external"
    | "triggers"
    | "max_iterations"
    | "max_execution_time_ms"
    | "max_outage_ms"
    | "max_token_budget"
    | "budget_usd"
    | "over_budget"
    | "max_thread_tokens"
    | "over_thread"
  >
>;

export type EditOperation =
  | { readonly op: "add_node"; readonly node: GraphNode }
  | { readonly op: "replace_node"; readonly node: GraphNode }
  | { readonly op: "rename_node"; readonly node: string; readonly to: string }
  /** `rejoin` joins predecessors to successors. */
  | { readonly op: "remove_node"; readonly node: string; readonly rejoin: boolean }
  /** Inserts `node` on every path to `before`. */
  | { readonly op: "insert_before"; readonly before: string; readonly node: GraphNode }
  | { readonly op: "move_nodes"; readonly positions: Readonly<Record<string, Point>> }
  | { readonly op: "add_edge"; readonly edge: GraphEdge }
  | { readonly op: "replace_edge"; readonly edge: GraphEdge }
  | { readonly op: "remove_edge"; readonly edge: string }
  /** Order among one source's edges: the first true condition wins. */
  | { readonly op: "move_edge"; readonly edge: string; readonly by: -1 | 1 }
  | { readonly op: "set_memory_key"; readonly key: MemoryKey; readonly replaces?: string }
  | { readonly op: "remove_memory_key"; readonly key: string }
  | { readonly op: "settings"; readonly settings: GraphSettings };

const replaceById = <T extends { readonly id: string }>(items: readonly T[], item: T): T[] =>
  items.map((other) => (other.id === item.id ? item : other));

const addNode = (graph: Graph, node: GraphNode): Graph => {
  if (graph.nodes.some((other) => other.id === node.id)) return graph;
  const hasStart = graph.nodes.some((other) => other.id === graph.start_node);

  return { ...graph, nodes: [...graph.nodes, node], start_node: hasStart ? graph.start_node : node.id };
};

const addEdge = (graph: Graph, edge: GraphEdge): Graph => {
  const ids = new Set(graph.nodes.map((node) => node.id));
  const exists = graph.edges.some((other) => other.id === edge.id);

  return exists || !ids.has(edge.source) || !ids.has(edge.target) ? graph : { ...graph, edges: [...graph.edges, edge] };
};

const moveNodes = (graph: Graph, positions: Readonly<Record<string, Point>>): Graph => {
  const nodes = graph.nodes.map((node) => {
    const point = Object.hasOwn(positions, node.id) ? positions[node.id] : undefined;
    const position = point && { x: Math.round(point.x), y: Math.round(point.y) };
    const isThere = !position || (position.x === node.position.x && position.y === node.position.y);

    return isThere ? node : { ...node, position };
  });

  return nodes.every((node, index) => node === graph.nodes[index]) ? graph : { ...graph, nodes };
};

const moveEdge = (graph: Graph, id: string, by: -1 | 1): Graph => {
  const edge = graph.edges.find((other) => other.id === id);

  return edge ? { ...graph, edges: moveItem(graph.edges, edge, by, (other) => other.source === edge.source) } : graph;
};

const setMemoryKey = (graph: Graph, key: MemoryKey, replaces: string | undefined): Graph => {
  const at = replaces ?? key.key;
  const clashes = key.key !== at && graph.memory.some((other) => other.key === key.key);
  if (clashes) return graph;
  const known = graph.memory.some((other) => other.key === at);

  return {
    ...graph,
    memory: known ? graph.memory.map((other) => (other.key === at ? key : other)) : [...graph.memory, key],
  };
};

export const applyEdit = (graph: Graph, edit: EditOperation): Graph => {
  switch (edit.op) {
    case "add_node":
      return addNode(graph, edit.node);
    case "replace_node":
      return { ...graph, nodes: replaceById(graph.nodes, edit.node) };
    case "rename_node":
      return renameNode(graph, edit.node, edit.to);
    case "remove_node":
      return removeNode(graph, edit.node, edit.rejoin);
    case "insert_before":
      return insertBefore(graph, edit.before, edit.node);
    case "move_nodes":
      return moveNodes(graph, edit.positions);
    case "add_edge":
      return addEdge(graph, edit.edge);
    case "replace_edge":
      return { ...graph, edges: replaceById(graph.edges, edit.edge) };
    case "remove_edge":
      return { ...graph, edges: graph.edges.filter((edge) => edge.id !== edit.edge) };
    case "move_edge":
      return moveEdge(graph, edit.edge, edit.by);
    case "set_memory_key":
      return setMemoryKey(graph, edit.key, edit.replaces);
    case "remove_memory_key":
      return { ...graph, memory: graph.memory.filter((key) => key.key !== edit.key) };
    case "settings":
      return { ...graph, ...edit.settings };
    default:
      return edit satisfies never;
  }
};
