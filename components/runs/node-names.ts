/** Node names, as ids are unique only within a graph. */
import type { NameNode } from "@/lib/engine/events/event-entry";
import { trackPlaces, type Place } from "@/lib/engine/frame";
import type { Entry } from "./entries";
import type { RunGraph } from "./types";

export type NodeNames = { readonly at: (places: readonly Place[]) => NameNode };

type Titled = { readonly id: string; readonly title: string };

const titlesOf = (nodes: readonly Titled[]): ReadonlyMap<string, string> =>
  new Map(nodes.filter((node) => node.title !== "").map((node) => [node.id, node.title]));

/** Uses ids as names. */
export const ID_NAMES: NodeNames = { at: () => (id) => id };

export const getNodeNames = (graph: Pick<RunGraph, "nodes" | "subgraphs">): NodeNames => {
  const own = titlesOf(graph.nodes);
  const inner = new Map(graph.subgraphs.map((subgraph) => [subgraph.version, titlesOf(subgraph.nodes)]));

  return {
    at: (places) => {
      const innermost = places.at(-1);
      const titles = innermost ? inner.get(innermost.version) : own;

      return (id) => titles?.get(id) ?? id;
    },
  };
};

/** Subgraph names, outermost first. */
export const placeTitles = (names: NodeNames, places: readonly Place[]): string[] =>
  places.map((place, depth) => names.at(places.slice(0, depth))(place.node));

/** Node title with its subgraphs. */
export const formatNodeTitle = (names: NodeNames, places: readonly Place[], id: string): string =>
  [...placeTitles(names, places), names.at(places)(id)].join(" / ");

/** Subgraph position before each record. */
export const trackPlacesBefore = (entries: readonly Entry[]): readonly (readonly Place[])[] => {
  let places: readonly Place[] = [];

  return entries.map(({ record }) => {
    const before = places;
    places = (record?.control ?? []).reduce(trackPlaces, before);

    return before;
  });
};
