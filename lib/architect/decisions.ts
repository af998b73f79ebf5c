import type { Measure } from "@/lib/architect/rights";
import { shortenText } from "@/lib/short-text";
import type { GraphEdge, GraphNode } from "@/lib/graph/document";
import type { Facts } from "@/lib/graph/facts/facts";
import { listDeclaredTargets } from "@/lib/graph/refs";
import { findReachable } from "@/lib/graph/topology";

const waysFrom = ({ topology }: Facts, id: string): readonly GraphEdge[] => topology.out.get(id) ?? [];

/** An outside agent chooses among all open edges. */
const askedBefore = (facts: Facts, edge: GraphEdge): readonly string[] => {
  const ways = waysFrom(facts, edge.source);
  const normal = ways.filter(({ kind }) => kind === "normal");
  const first = edge.kind === "default" ? normal : facts.graph.external ? [] : normal.slice(0, normal.indexOf(edge));

  return first.flatMap(({ condition }) => condition ?? []);
};

const edgeText = (facts: Facts, edge: GraphEdge): string | null => {
  if (edge.kind === "error" || edge.kind === "timeout") return `${edge.source}, ${edge.kind}`;
  const asked = askedBefore(facts, edge).map((condition) => shortenText(condition));
  const unless = asked.length === 0 ? "" : `, unless ${asked.join(" or ")}`;
  if (edge.condition !== undefined) return `${edge.source}, when ${shortenText(edge.condition)}${unless}`;

  return waysFrom(facts, edge.source).length > 1 ? `${edge.source}, otherwise${unless}` : null;
};

/** Measures decisions that keep the node reachable. */
export const measureReach = (facts: Facts, node: GraphNode): Measure => {
  const before = findReachable([node.id], facts.topology.predecessors);
  const drawn = facts.graph.edges.flatMap((edge) => (before.has(edge.target) ? (edgeText(facts, edge) ?? []) : []));
  const declared = facts.graph.nodes.flatMap((from) =>
    listDeclaredTargets(from).flatMap((to) => (before.has(to) ? [`${from.id}, straight to ${to}`] : [])),
  );

  return { type: "may", items: [...new Set([...drawn, ...declared])].toSorted() };
};

const decides = (facts: Facts, id: string, before: ReadonlySet<string>): boolean => {
  const leading = waysFrom(facts, id).filter(({ kind, target }) => (kind === "normal" || kind === "default") && before.has(target));

  return leading.length > 0 && leading.every((edge) => edge.condition !== undefined || askedBefore(facts, edge).length > 0);
};

/** Finds the conditional nodes on every path to each node. */
export const findDecisionsBefore = (facts: Facts, ids: readonly string[]): ReadonlyMap<string, readonly string[]> => {
  const { graph, topology } = facts;
  const sets = new Map(ids.map((id) => [id, findReachable([id], topology.predecessors)]));
  const found = new Map<string, string[]>(ids.map((id) => [id, []]));
  const places = graph.nodes.filter(({ id }) => waysFrom(facts, id).some(({ condition }) => condition !== undefined));
  for (const { id: place } of places) {
    const around = findReachable([graph.start_node], new Map([...topology.successors, [place, []]]));
    for (const [id, before] of sets) {
      if (id !== place && topology.reachable.has(id) && !around.has(id) && decides(facts, place, before)) found.get(id)?.push(place);
    }
  }

  return found;
};
