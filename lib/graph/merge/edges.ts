import type { GraphEdge } from "@/lib/graph/document";
import { mergeIds, type Ask, type Versions } from "./items";
import { mergeOrder } from "./order";

const idOf = (edge: GraphEdge): string => edge.id;

/** Merges edge order per node, which decides the route. */
export const orderEdges = (found: ReadonlyMap<string, GraphEdge>, lists: Versions<readonly GraphEdge[]>, ask: Ask): GraphEdge[] => {
  const [base, mine, theirs] = mergeIds(lists, idOf);
  const places = mergeOrder([base, mine, theirs], new Set(found.keys()), "mine").ids;
  const bySource = Map.groupBy(places, (id) => found.get(id)?.source ?? "");

  const queues = new Map(
    [...bySource].map(([source, ids]) => {
      const kept = new Set(ids);
      const sequences = [base, mine, theirs].map((all) => all.filter((id) => kept.has(id))) as [string[], string[], string[]];
      const order = mergeOrder(sequences, kept, "mine");
      if (!order.isContested) return [source, [...order.ids]];
      const [before, own, other] = sequences;
      const choice = ask({ on: "ways", subject: source, field: "order", base: before, mine: own, theirs: other, namedBy: [] });

      return [source, [...mergeOrder(sequences, kept, choice).ids]];
    }),
  );

  return places.flatMap((place) => {
    const id = queues.get(found.get(place)?.source ?? "")?.shift();
    const edge = id === undefined ? undefined : found.get(id);

    return edge ? [edge] : [];
  });
};
