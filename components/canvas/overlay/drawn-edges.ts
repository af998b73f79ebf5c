/** Drawn edges between two nodes. */
import { listDeclaredEdges } from "@/components/canvas/flow/declared-edges";
import type { Graph } from "@/lib/graph/document";

type Line = { readonly id: string; readonly source: string; readonly target: string };

const linesIn = (graph: Graph): readonly Line[] => [...graph.edges, ...graph.nodes.flatMap(listDeclaredEdges)];

const between = (from: string, to: string): string => `${from}\n${to}`;

export type DrawnLines = { readonly all: readonly Line[]; readonly between: (from: string, to: string) => readonly string[] };

export const listDrawnLines = (graph: Graph): DrawnLines => {
  const lines = linesIn(graph);
  const byEnds = Map.groupBy(lines, ({ source, target }) => between(source, target));

  return { all: lines, between: (from, to) => (byEnds.get(between(from, to)) ?? []).map(({ id }) => id) };
};
