/** Computed naively. */
import type { Graph, GraphNode } from "@/lib/graph/document";

const declared = (node: GraphNode): readonly string[] => {
  if (node.kind === "approval") {
    const { rejection_node: rejected, expiry_node: expired, changes_node: changed } = node.config;

    return [rejected, expired, changed].flatMap((id) => id ?? []);
  }
  if (node.kind === "review") return [node.config.rework?.node, node.config.expiry_node].flatMap((id) => id ?? []);
  if (node.kind === "supervisor") return node.config.managed_nodes;
  if (node.kind === "agent") return node.config.swarm?.peers ?? [];

  return node.kind === "map" ? [node.config.worker_node] : [];
};

const nextOf = (graph: Graph): ReadonlyMap<string, readonly string[]> =>
  new Map(
    graph.nodes.map((node) => [
      node.id,
      [...graph.edges.filter(({ source }) => source === node.id).map(({ target }) => target), ...declared(node)],
    ]),
  );

const ends = (graph: Graph, next: ReturnType<typeof nextOf>, from: string, without: string): boolean => {
  const workers = graph.nodes.flatMap((node) => (node.kind === "map" ? [node.config.worker_node] : []));
  const isEnd = (id: string) => graph.end_nodes.includes(id) || (next.get(id)?.length === 0 && !workers.includes(id));
  const seen = new Set<string>([without]);
  const open = [from];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(id)) continue;
    if (isEnd(id)) return true;
    seen.add(id);
    open.push(...(next.get(id) ?? []));
  }

  return false;
};

const joins = (graph: Graph, from: string): string | null => {
  const next = nextOf(graph);
  if (!ends(graph, next, from, "")) return null;
  const passed = graph.nodes.map(({ id }) => id).filter((id) => id !== from && !ends(graph, next, from, id));

  // The first has all others still ahead.
  return passed.find((id) => passed.every((other) => other === id || !ends(graph, next, id, other))) ?? null;
};

const known = new WeakMap<Graph, Map<string, string | null>>();

/** First node on every path to the end; null: none. */
export const joinOf = (graph: Graph, from: string): string | null => {
  const found = known.get(graph) ?? new Map<string, string | null>();
  known.set(graph, found);
  const join = found.get(from);
  if (join !== undefined) return join;
  found.set(from, joins(graph, from));

  return found.get(from) ?? null;
};
