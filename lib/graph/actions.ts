import { oncePer } from "@/lib/once-per";
import type { Graph, GraphNode } from "@/lib/graph/document";
import { mapsItems } from "@/lib/graph/kind-of";
import { listDeclaredTargets } from "@/lib/graph/refs";

/** Lists nodes outside agents can name, without map workers. */
export const listActionNodes = oncePer((graph: Graph): readonly GraphNode[] => {
  const workers = new Set(graph.nodes.flatMap((node) => (mapsItems(node) ? [node.config.worker_node] : [])));
  const led = new Set([graph.start_node, ...graph.edges.map(({ target }) => target), ...graph.nodes.flatMap(listDeclaredTargets)]);

  return graph.nodes.filter(({ id }) => !workers.has(id) || led.has(id));
});
