/** Node names, as ids are unique only within a graph. */
import type { RunEvent } from "@/lib/engine/event";
import type { Entry } from "./entries";
import type { RunGraph } from "./types";

export type Place = { readonly node: string; readonly version: string };

/** Title, or the id. */
export type NameNode = (id: string) => string;

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

/** Subgraph position after an event. */
export const trackPlacesAfter = (places: readonly Place[], event: RunEvent): readonly Place[] => {
  if (event.type === "frame_entered") return [...places, { node: event.node, version: event.version }];

  return event.type === "frame_left" ? places.slice(0, -1) : places;
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
    places = (record?.control ?? []).reduce(trackPlacesAfter, before);

    return before;
  });
};
