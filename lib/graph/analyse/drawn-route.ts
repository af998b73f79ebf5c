import type { Graph } from "@/lib/graph/document";
import { asksPerson } from "@/lib/graph/kind-of";
import { asksByItself } from "@/lib/graph/facts/gates";
import type { Topology } from "@/lib/graph/topology";
import type { Flow, Step } from "./flows";

export type Move = { readonly from: string; readonly to: string };

export const listPlaces = (witness: readonly Step[]): readonly { readonly node: string; readonly step: number }[] =>
  witness.flatMap((step, index) => ("node" in step ? [{ node: step.node, step: index }] : []));

const movesBetween = (topology: Topology, from: string, to: string, isClosed: (id: string) => boolean): readonly Move[] => {
  const before = new Map<string, string>();
  const waiting = [from];
  for (const id of waiting) {
    for (const next of topology.successors.get(id) ?? []) {
      if (before.has(next) || (isClosed(next) && next !== to)) continue;
      before.set(next, id);
      if (next !== to) waiting.push(next);
    }
    if (before.has(to)) break;
  }
  const moves: Move[] = [];
  for (let at = to; at !== from || moves.length === 0;) {
    const last = before.get(at);
    if (last === undefined) return [];
    moves.push({ from: last, to: at });
    at = last;
  }

  return moves.toReversed();
};

const joined = (topology: Topology, from: string, to: string, isClosed: (id: string) => boolean): readonly Move[] => {
  const isBack = topology.successors.get(to)?.includes(from) === true && topology.successors.get(from) === undefined;

  return isBack ? [{ from: to, to: from }] : movesBetween(topology, from, to, isClosed);
};

export const listMoves = (
  graph: Graph,
  topology: Topology,
  { witness, gates }: Pick<Flow, "witness" | "gates">,
): readonly (Move & { readonly step: number })[] => {
  const passed = new Set(gates);
  const asking = new Set(graph.nodes.flatMap((node) => (asksPerson(node) || asksByItself(node) ? [node.id] : [])));
  const places = listPlaces(witness);

  return places.slice(1).flatMap(({ node, step }, index) => {
    const from = places[index]?.node ?? node;

    return joined(topology, from, node, (id) => asking.has(id) && !passed.has(id)).map((move) => ({ ...move, step }));
  });
};
