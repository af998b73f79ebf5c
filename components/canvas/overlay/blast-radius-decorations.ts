import { FADED, type Decoration, type Decorations } from "@/components/canvas/flow/decoration";
import type { BlastRadius } from "@/lib/graph/analyse/blast";
import { sortWorstFirst } from "@/lib/graph/analyse/labels";
import type { Graph } from "@/lib/graph/document";
import { listDrawnLines } from "./drawn-edges";

const SPEAKS: Decoration = { tone: "danger", mark: "refused", text: "Compromised", said: ", assumed to be compromised" };
const REACHED: Decoration = { tone: "danger", mark: "refused", text: "Reached, no approval", said: ", reached without an approval" };
const WORKS: Decoration = { tone: "warning", mark: "tainted", text: "Handles its data", said: ", handles its data" };
const WAITS: Decoration = { tone: "good", mark: "waiting", text: "Needs approval", said: ", reached only after an approval" };
const MEETS: Decoration = { tone: "good", mark: "waiting", text: "First approval", said: ", first approval on the route" };

const DECIDES: Decoration = { tone: "warning", mark: "tainted", text: "Routed by it", said: ", routed by it" };

const BETWEEN: Decoration = { tone: "warning", said: ", carries it" };

export const blastRadiusDecorations = (graph: Graph, { nodes, reachable, firstGates, unseen }: BlastRadius): Decorations => {
  const looks = new Map<string, Decoration>(unseen.nodes.map((id) => [id, WORKS]));
  // The last decoration wins, so worst last.
  for (const { sink, gated } of sortWorstFirst(reachable).toReversed()) {
    if (sink.kind !== "route") looks.set(sink.node, gated ? WAITS : REACHED);
    else if (!looks.has(sink.node)) looks.set(sink.node, gated ? WAITS : DECIDES);
  }
  for (const gate of firstGates) looks.set(gate, MEETS);
  for (const id of nodes) looks.set(id, SPEAKS);
  const deciding = reachable.flatMap(({ sink, gated }) => (sink.kind === "route" && !gated ? [sink.node] : []));
  const active = new Set([...unseen.nodes, ...nodes, ...deciding]);
  const edges = listDrawnLines(graph).all.map(
    ({ id, source, target }) => [id, active.has(source) && looks.has(target) ? BETWEEN : FADED] as const,
  );

  return { nodes: new Map(graph.nodes.map(({ id }) => [id, looks.get(id) ?? FADED])), edges: new Map(edges) };
};
