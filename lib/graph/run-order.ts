import type { Graph, GraphNode } from "@/lib/graph/document";
import { buildTopology } from "@/lib/graph/topology";

export type RunOrder = {
  readonly nodes: readonly GraphNode[];
  /** Nodes any run can reach. */
  readonly reachable: ReadonlySet<string>;
};

/** No recursion: a graph may be 10,000 nodes deep. Mutates `seen`. */
const orderFrom = (root: string, next: ReadonlyMap<string, readonly string[]>, seen: Set<string>): string[] => {
  seen.add(root);
  const post: string[] = [];
  const stack: { id: string; left: string[] }[] = [{ id: root, left: [...(next.get(root) ?? [])] }];
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    // Reverse order puts the first branch first.
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

/** Orders nodes after predecessors, except in loops; unreachable last. */
export const runOrder = (graph: Graph): RunOrder => {
  const { ids, successors, predecessors, reachable } = buildTopology(graph);
  const beginnings = [...ids].filter((id) => !predecessors.has(id));
  const roots = [...(ids.has(graph.start_node) ? [graph.start_node] : []), ...beginnings, ...ids];
  const seen = new Set<string>();
  const order = roots.flatMap((root) => (seen.has(root) ? [] : orderFrom(root, successors, seen)));
  const byId = Map.groupBy(graph.nodes, (node) => node.id);

  return { nodes: order.flatMap((id) => byId.get(id) ?? []), reachable };
};
