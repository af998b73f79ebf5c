import type { Graph } from "@/lib/graph/document";
import { getKind } from "@/lib/graph/kind-of";
import { listDeclaredTargets } from "@/lib/graph/refs";
import { findReachable } from "@/lib/graph/topology";

type Ways = ReadonlyMap<string, readonly string[]>;

const waysOf = ({ nodes, edges }: Graph): Ways => {
  const ids = new Set(nodes.map(({ id }) => id));
  const drawn = Map.groupBy(edges, ({ source }) => source);

  return new Map(
    nodes.map((node) => {
      const targets = [...(drawn.get(node.id) ?? []).map(({ target }) => target), ...listDeclaredTargets(node)];

      return [node.id, targets.filter((target) => ids.has(target))];
    }),
  );
};

const reversed = (ways: Ways): Ways => {
  const back = new Map<string, string[]>([...ways.keys()].map((id) => [id, []]));
  for (const [source, targets] of ways) for (const target of targets) back.get(target)?.push(source);

  return back;
};

const trimmed = (ways: Ways): Ways => {
  const degree = new Map([...ways.keys()].map((id) => [id, 0]));
  for (const targets of ways.values()) for (const target of targets) degree.set(target, (degree.get(target) ?? 0) + 1);
  const gone = new Set([...degree].flatMap(([id, count]) => (count === 0 ? [id] : [])));
  // Sets iterate over additions too.
  for (const id of gone) {
    for (const target of ways.get(id) ?? []) {
      const left = (degree.get(target) ?? 0) - 1;
      degree.set(target, left);
      if (left === 0) gone.add(target);
    }
  }

  return without(ways, gone);
};

const without = (ways: Ways, gone: ReadonlySet<string>): Ways =>
  new Map([...ways].flatMap(([id, targets]) => (gone.has(id) ? [] : [[id, targets.filter((target) => !gone.has(target))]])));

const returning = (ways: Ways): ReadonlySet<string> => new Set(trimmed(reversed(trimmed(ways))).keys());

type Counting = { readonly id: string; readonly most: number };

/** Nodes that only a limited choice leaves. */
const counting = ({ nodes, edges }: Graph, reachable: ReadonlySet<string>): readonly Counting[] =>
  nodes.flatMap((node) => {
    const choice = getKind(node).choice(node.config);
    const fails = edges.some(({ source, kind }) => source === node.id && (kind === "error" || kind === "timeout"));

    return choice?.by === "goto" && reachable.has(node.id) && !fails ? [{ id: node.id, most: choice.most }] : [];
  });

export const countVisits = (graph: Graph): ReadonlyMap<string, number> => {
  const most = graph.max_iterations;
  const all = waysOf(graph);
  if (!all.has(graph.start_node)) return new Map();
  const reachable = findReachable([graph.start_node], all);
  // An external agent may repeat a failed action.
  if (graph.external) return new Map([...reachable].map((id) => [id, most]));
  const ways = without(all, new Set([...all.keys()].filter((id) => !reachable.has(id))));
  const supervisors = counting(graph, reachable);
  const again = returning(ways);
  const unsupervised = returning(without(ways, new Set(supervisors.map(({ id }) => id))));
  const choices = 1 + supervisors.reduce((sum, { most: left }) => sum + left, 0);

  return new Map([...reachable].map((id) => [id, Math.min(most, unsupervised.has(id) ? most : again.has(id) ? choices : 1)]));
};
