/** Which nodes every way from the start to a node must pass: a gate protects an effect exactly when it dominates it. */
import type { Topology } from "./topology";

/** Reverse post-order, without recursion: a graph may be 10,000 nodes deep. */
const orderFrom = (start: string, next: ReadonlyMap<string, readonly string[]>): string[] => {
  const seen = new Set([start]);
  const post: string[] = [];
  const stack: { id: string; at: number }[] = [{ id: start, at: 0 }];
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const target = (next.get(top.id) ?? [])[top.at];
    top.at += 1;
    if (target === undefined) {
      post.push(top.id);
      stack.pop();
    } else if (!seen.has(target)) {
      seen.add(target);
      stack.push({ id: target, at: 0 });
    }
  }

  return post.toReversed();
};

export type Dominators = {
  /** Whether every way from the start to `node` passes `gate`. Nothing dominates what cannot be reached. */
  readonly dominates: (gate: string, node: string) => boolean;
};

/**
 * Immediate dominators after Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001).
 * @param from the start node
 */
export const dominatorsOf = (topology: Topology, from: string): Dominators => {
  if (!topology.ids.has(from)) return { dominates: () => false };
  const order = orderFrom(from, topology.successors);
  const rank = new Map(order.map((id, index) => [id, index]));
  const immediate = new Map<string, string>([[from, from]]);
  const rankOf = (id: string) => rank.get(id) ?? 0;

  const common = (left: string, right: string): string => {
    let a = left;
    let b = right;
    while (a !== b) {
      while (rankOf(a) > rankOf(b)) a = immediate.get(a) ?? from;
      while (rankOf(b) > rankOf(a)) b = immediate.get(b) ?? from;
    }

    return a;
  };

  for (let changed = true; changed;) {
    changed = false;
    for (const id of order.slice(1)) {
      const known = (topology.predecessors.get(id) ?? []).filter((other) => immediate.has(other));
      const [first, ...rest] = known;
      if (first === undefined) continue;
      const found = rest.reduce(common, first);
      if (immediate.get(id) === found) continue;
      immediate.set(id, found);
      changed = true;
    }
  }

  return {
    dominates: (gate, node) => {
      if (!immediate.has(node)) return false;
      for (let at = node; ; at = immediate.get(at) ?? from) {
        if (at === gate) return true;
        if (at === from) return false;
      }
    },
  };
};
