"use client";

import { useMemo } from "react";
import { GraphMap } from "@/components/graph-map/graph-map";
import { NODE, type MapNode } from "@/components/graph-map/map-shape";
import type { RunGraph } from "@/components/runs/types";
import type { Tracks } from "@/components/runs/timeline";
import { layoutOf } from "@/lib/graph/layout";

type Props = {
  readonly graph: RunGraph;
  readonly tracks: Tracks;
  readonly seq: number;
  readonly active: string | null;
  readonly waiting: string | null;
  readonly onOpen: (node: string) => void;
};

const placesOf = ({ nodes, edges }: RunGraph): ReadonlyMap<string, { readonly x: number; readonly y: number }> => {
  const drawn = new Map(nodes.map(({ id, position }) => [id, position]));
  const distinct = new Set(nodes.map(({ position: { x, y } }) => `${x} ${y}`));
  if (distinct.size === nodes.length) return drawn;

  return layoutOf({
    nodes: nodes.map(({ id }) => id),
    ways: edges.map(({ source, target }) => [source, target] as const),
    size: { widthPx: NODE.width, heightPx: NODE.height },
    gridPx: 8,
    room: null,
  });
};

const isBy = (at: number | undefined, seq: number): boolean => at !== undefined && at <= seq;

export const RunMap = ({ graph, tracks, seq, active, waiting, onOpen }: Props) => {
  const places = useMemo(() => placesOf(graph), [graph]);
  const stateOf = (id: string): MapNode["state"] => {
    if (id === waiting) return "waiting";
    if (id === active) return "active";

    return isBy(tracks.entered.get(id), seq) ? "passed" : "idle";
  };
  const nodes = graph.nodes.map(({ id, title, kind }): MapNode => ({
    id,
    title: title || id,
    kind,
    at: places.get(id) ?? null,
    state: stateOf(id),
  }));
  const edges = graph.edges.map(({ source, target }) => ({ source, target, isTaken: isBy(tracks.ways.get(`${source} ${target}`), seq) }));

  return (
    <GraphMap
      nodes={nodes}
      edges={edges}
      label="Nodes"
      onOpen={onOpen}
      className="h-28 shrink-0 border-b bg-surface px-6 py-2 max-sm:hidden"
    />
  );
};
