/** The order in which a graph is read from top to bottom. */
import type { Graph, GraphNode } from "@/lib/graph/document";
import { buildTopology } from "@/lib/graph/topology";

export type RunOrder = {
  /** Every node of the graph, each once. */
  readonly nodes: readonly GraphNode[];
  /** Those that a run can come to, whatever happens in it. */
  readonly reachable: ReadonlySet<string>;
};

/** Reverse post-order, without recursion: a graph may be 10,000 nodes deep. `seen` is changed. */
const orderFrom = (root: string, next: ReadonlyMap<string, readonly string[]>, seen: Set<string>): string[] => {
  seen.add(root);
  const post: string[] = [];
  const stack: { id: string; left: string[] }[] = [{ id: root, left: [...(next.get(root) ?? [])] }];
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    // The last way first, so that in reverse the first way is read first.
    const target = top.left.pop();
    if (target === undefined) {
      post.push(top.id);
      stack.pop();
    } else if (!seen.has(target)) {
      seen.add(target);
      stack.push({ id: target, left: [...(next.get(target) ?? [])] });
    }
  }

  return post.toReversed();
};

/**
 * From the start on, a node after all that lead to it (loops aside) and the first of several ways first; then what no run
 * comes to, its own beginnings first. Of nodes that share an id, which the validator refuses, all stand where the first does.
 */
export const runOrder = (graph: Graph): RunOrder => {
  const { ids, successors, predecessors, reachable } = buildTopology(graph);
  const beginnings = [...ids].filter((id) => !predecessors.has(id));
  const roots = [...(ids.has(graph.start_node) ? [graph.start_node] : []), ...beginnings, ...ids];
  const seen = new Set<string>();
  const order = roots.flatMap((root) => (seen.has(root) ? [] : orderFrom(root, successors, seen)));
  const byId = Map.groupBy(graph.nodes, (node) => node.id);

  return { nodes: order.flatMap((id) => byId.get(id) ?? []), reachable };
};
