/** From the document to the edges that React Flow draws: its own, and the ways that rejections take. */
import { MarkerType, type Edge } from "@xyflow/react";
import type { Selection } from "@/components/canvas/state/canvas-store";
import type { Graph, GraphEdge, GraphNode } from "@/lib/graph/document";
import type { Severity } from "@/lib/graph/problems/problem";
import { SAID } from "./to-flow";

export type FlowEdge = Edge;

const COLORS: Record<GraphEdge["kind"], string> = {
  normal: "var(--control)",
  default: "var(--control)",
  error: "var(--refused)",
  timeout: "var(--waiting)",
};

const LABEL = {
  labelStyle: { fill: "var(--muted)", fontSize: 11, fontFamily: "var(--font-geist-mono)" },
  labelBgStyle: { fill: "var(--canvas)" },
  labelBgPadding: [4, 2] as [number, number],
};

const arrow = (color: string) => ({ type: MarkerType.ArrowClosed, color, width: 16, height: 16 });

const MAX_LABEL = 36;

const edgeText = (edge: GraphEdge): string | undefined => {
  if (edge.kind !== "normal") return edge.kind === "default" ? "otherwise" : edge.kind;
  if (edge.condition === undefined) return undefined;

  return edge.condition.length > MAX_LABEL ? `${edge.condition.slice(0, MAX_LABEL - 1)}…` : edge.condition;
};

const flowEdge = (edge: GraphEdge, selected: boolean, worst: Severity | undefined): FlowEdge => {
  const color = selected ? "var(--accent)" : worst === "error" ? "var(--refused)" : COLORS[edge.kind];

  return {
    id: edge.id,
    type: "way",
    source: edge.source,
    target: edge.target,
    selected,
    label: edgeText(edge),
    ariaLabel: `Edge from ${edge.source} to ${edge.target}${edge.kind === "normal" ? "" : `, ${edge.kind}`}${worst === undefined ? "" : SAID[worst]}`,
    interactionWidth: 16,
    style: { stroke: color, strokeWidth: selected ? 2 : 1.25, ...(edge.kind === "normal" ? {} : { strokeDasharray: "5 4" }) },
    ...LABEL,
    markerEnd: arrow(color),
  };
};

/** Where a rejected approval leads. It is part of the approval's own form, so it can be neither selected nor removed here. */
const rejection = (node: GraphNode, target: string): FlowEdge => ({
  id: `rejection:${node.id}`,
  type: "way",
  source: node.id,
  target,
  label: "rejected",
  ariaLabel: `A rejection by ${node.id} leads to ${target}`,
  selectable: false,
  focusable: false,
  style: { stroke: "var(--refused)", strokeWidth: 1.25, strokeDasharray: "2 4" },
  ...LABEL,
  markerEnd: arrow("var(--refused)"),
});

const rejections = (graph: Graph, cache: WeakMap<GraphNode, FlowEdge>): FlowEdge[] =>
  graph.nodes.flatMap((node) => {
    const target = node.kind === "approval" ? node.config.rejection_node : undefined;
    if (target === undefined || !graph.nodes.some((other) => other.id === target)) return [];
    const edge = cache.get(node) ?? rejection(node, target);
    cache.set(node, edge);

    return [edge];
  });

/** @param cache one per canvas; edges and nodes of a document are immutable, so they can be keys */
export const toFlowEdges = (
  graph: Graph,
  selection: Selection,
  worst: ReadonlyMap<string, Severity>,
  cache: WeakMap<GraphEdge | GraphNode, FlowEdge>,
): FlowEdge[] => {
  const selected = new Set(selection.edges);

  const drawn = graph.edges.map((edge) => {
    const worstHere = worst.get(`edge:${edge.id}`);
    const fresh = flowEdge(edge, selected.has(edge.id), worstHere);
    const last = cache.get(edge);
    if (last && last.selected === fresh.selected && last.ariaLabel === fresh.ariaLabel) return last;
    cache.set(edge, fresh);

    return fresh;
  });

  return [...drawn, ...rejections(graph, cache)];
};
