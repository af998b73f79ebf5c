import type { Graph, GraphNode } from "@/lib/graph/document";
import { mapsItems } from "@/lib/graph/kind-of";
import { listDeclaredTargets } from "@/lib/graph/refs";

const known = new WeakMap<Graph, readonly GraphNode[]>();

const actionsIn = (graph: Graph): readonly GraphNode[] => {
  const workers = new Set(graph.nodes.flatMap((node) => (mapsItems(node) ? [node.config.worker_node] : [])));
  const led = new Set([graph.start_node, ...graph.edges.map(({ target }) => target), ...graph.nodes.flatMap(listDeclaredTargets)]);

  return graph.nodes.filter(({ id }) => !workers.has(id) || led.has(id));
};

/** Lists nodes outside agents can name, without map workers; cached per graph. */
export const listActionNodes = (graph: Graph): readonly GraphNode[] => {
  const found = known.get(graph) ?? actionsIn(graph);
  known.set(graph, found);

  return found;
};
