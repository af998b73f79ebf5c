import { oncePer } from "@/lib/once-per";
import type { Graph } from "@/lib/graph/document";
import { mapsItems } from "@/lib/graph/kind-of";
import { buildTopology, type Topology } from "@/lib/graph/topology";

const NONE = -1;

/** Plain arrays, or 10,000 nodes with error edges to one handler take seconds. */
type Flow = { readonly root: number; readonly next: readonly (readonly number[])[]; readonly back: readonly (readonly number[])[] };

/** No recursion: a graph may be 10,000 nodes deep. */
const orderFrom = ({ root, next }: Flow): number[] => {
  const seen = new Set([root]);
  const post: number[] = [];
  const stack: { node: number; at: number }[] = [{ node: root, at: 0 }];
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const target = next[top.node]?.[top.at];
    top.at += 1;
    if (target === undefined) {
      post.push(top.node);
      stack.pop();
    } else if (!seen.has(target)) {
      seen.add(target);
      stack.push({ node: target, at: 0 });
    }
  }

  return post.toReversed();
};

/** After Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001); unreachable nodes get `NONE`. */
const immediateOf = (flow: Flow): Int32Array => {
  const order = orderFrom(flow);
  const rank = new Int32Array(flow.next.length);
  for (const [index, node] of order.entries()) rank[node] = index;
  const immediate = new Int32Array(flow.next.length).fill(NONE);
  immediate[flow.root] = flow.root;
  const rankOf = (node: number) => rank[node] ?? 0;
  const above = (node: number) => immediate[node] ?? flow.root;

  const common = (left: number, right: number): number => {
    let a = left;
    let b = right;
    while (a !== b) {
      while (rankOf(a) > rankOf(b)) a = above(a);
      while (rankOf(b) > rankOf(a)) b = above(b);
    }

    return a;
  };

  for (let changed = true; changed;) {
    changed = false;
    for (const node of order.slice(1)) {
      const [first, ...rest] = (flow.back[node] ?? []).filter((other) => above(other) !== NONE);
      if (first === undefined) continue;
      const found = rest.reduce(common, first);
      if (immediate[node] === found) continue;
      immediate[node] = found;
      changed = true;
    }
  }

  return immediate;
};

type Numbering = { readonly ids: readonly string[]; readonly numbers: ReadonlyMap<string, number> };

const numberingOf = (topology: Topology): Numbering => {
  const ids = [...topology.ids];

  return { ids, numbers: new Map(ids.map((id, index) => [id, index])) };
};

const numbered = ({ ids, numbers }: Numbering, neighbours: ReadonlyMap<string, readonly string[]>): number[][] =>
  ids.map((id) => (neighbours.get(id) ?? []).flatMap((other) => numbers.get(other) ?? []));

export type Dominators = {
  /** True if every path to `node` passes `gate`; false if unreachable. */
  readonly dominates: (gate: string, node: string) => boolean;
  /** Null for the start and unreachable nodes. */
  readonly immediateDominator: (node: string) => string | null;
};

/** Computes dominators. @param from the start node */
export const computeDominators = (topology: Topology, from: string): Dominators => {
  const numbering = numberingOf(topology);
  const root = numbering.numbers.get(from);
  if (root === undefined) return { dominates: () => false, immediateDominator: () => null };
  const immediate = immediateOf({
    root,
    next: numbered(numbering, topology.successors),
    back: numbered(numbering, topology.predecessors),
  });
  const immediateDominator = (node: string): string | null => {
    const at = numbering.numbers.get(node);
    const found = at === undefined || at === root ? NONE : (immediate[at] ?? NONE);

    return numbering.ids[found] ?? null;
  };

  return {
    immediateDominator,
    dominates: (gate, node) => {
      if (!topology.reachable.has(node)) return false;
      for (let at: string | null = node; at !== null; at = immediateDominator(at)) if (at === gate) return true;

      return false;
    },
  };
};

export type PostDominators = {
  /** First node on every path from `node` to the end; null: none, or no path ends. */
  readonly immediatePostDominator: (node: string) => string | null;
};

/** Returns post-dominators: reverses the graph from one common exit; no run ends in a worker. The engine asks at every step. */
export const postDominatorsOf = oncePer((graph: Graph): PostDominators => {
  const topology = buildTopology(graph);
  const numbering = numberingOf(topology);
  const exit = numbering.ids.length;
  const ends = new Set(graph.end_nodes);
  const workers = new Set(graph.nodes.flatMap((node) => (mapsItems(node) ? [node.config.worker_node] : [])));
  const stops = (id: string) => ends.has(id) || (!topology.successors.has(id) && !workers.has(id));
  const lasts = numbering.ids.flatMap((id, index) => (stops(id) ? [index] : []));
  const isLast = new Set(lasts);
  const immediate = immediateOf({
    root: exit,
    next: [...numbered(numbering, topology.predecessors), lasts],
    back: [...numbered(numbering, topology.successors).map((targets, index) => (isLast.has(index) ? [...targets, exit] : targets)), []],
  });

  return {
    immediatePostDominator: (node) => numbering.ids[immediate[numbering.numbers.get(node) ?? exit] ?? exit] ?? null,
  };
});
