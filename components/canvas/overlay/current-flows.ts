import type { CanvasState, Selection } from "@/components/canvas/state/canvas-store";
import type { Flow } from "@/lib/graph/analyse/flows";
import type { Verdict } from "@/lib/graph/analyse/verdict";
import type { GraphEdge } from "@/lib/graph/document";
import type { OverlayName } from "./overlays";

/** Returns whether findings apply; invalid graphs have none. */
export const isLookedAt = ({ checked, findings }: Pick<CanvasState, "checked" | "findings">): boolean =>
  checked !== null && findings.problems.every(({ code }) => code !== "shape");

const ORDER: readonly Verdict[] = ["open", "noted", "held"];

/** Worst first, else document order. */
export const listFlowsFor = (overlay: OverlayName | null, flows: readonly Flow[]): readonly Flow[] => {
  if (overlay !== "taint" && overlay !== "secrets") return [];
  const kind = overlay === "taint" ? "untrusted" : "confidential";

  return flows.filter((flow) => flow.kind === kind).toSorted((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict));
};

const passes = ({ witness, gates, sink }: Flow, id: string): boolean =>
  sink.node === id || gates.includes(id) || witness.some((step) => "node" in step && step.node === id);

/** Finds the worst flow that ends in the selection, else passes it. */
export const findFlowThrough = (flows: readonly Flow[], { nodes, edges }: Selection, drawn: readonly GraphEdge[]): Flow | null => {
  const [node] = nodes;
  if (node !== undefined) return flows.find(({ sink }) => sink.node === node) ?? flows.find((flow) => passes(flow, node)) ?? null;
  const edge = drawn.find(({ id }) => id === edges[0]);
  if (!edge) return null;
  const along = flows.filter((flow) => passes(flow, edge.source) || passes(flow, edge.target));

  return (
    along.find(({ sink }) => sink.kind === "route" && sink.edge === edge.id) ??
    along.find(({ sink }) => sink.node === edge.target) ??
    along.find((flow) => passes(flow, edge.source) && passes(flow, edge.target)) ??
    along[0] ??
    null
  );
};

export type Counts = Readonly<Record<Verdict, number>>;

export const countFlows = (flows: readonly Flow[]): Counts => ({
  open: flows.filter(({ verdict }) => verdict === "open").length,
  noted: flows.filter(({ verdict }) => verdict === "noted").length,
  held: flows.filter(({ verdict }) => verdict === "held").length,
});
