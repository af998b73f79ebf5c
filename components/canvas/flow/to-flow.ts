/** From the document to what React Flow draws. An element that did not change keeps its identity and is not drawn again. */
import { MarkerType, Position, type Edge, type Node } from "@xyflow/react";
import type { Graph, GraphEdge, GraphNode } from "@/lib/graph/document";
import { NODE_KINDS } from "@/lib/graph/kinds";
import type { Severity } from "@/lib/graph/problems/problem";
import type { Selection } from "@/components/canvas/state/canvas-store";
import { HANDLE_PX, NODE_HEIGHT_PX, NODE_WIDTH_PX } from "./geometry";

export type FaceData = {
  readonly node: GraphNode;
  readonly worst: Severity | null;
  readonly isStart: boolean;
  readonly isEnd: boolean;
};

export type FlowNode = Node<FaceData, "face">;
export type FlowEdge = Edge;

type Point = { readonly x: number; readonly y: number };

const MIDDLE_PX = NODE_HEIGHT_PX / 2;

const handle = (type: "source" | "target", x: number, position: Position) => ({
  id: null,
  type,
  position,
  x: x - HANDLE_PX / 2,
  y: MIDDLE_PX - HANDLE_PX / 2,
  width: HANDLE_PX,
  height: HANDLE_PX,
});

const HANDLES = [handle("target", 0, Position.Left), handle("source", NODE_WIDTH_PX, Position.Right)];

const SAID: Record<Severity, string> = { error: ", has errors", warning: ", has warnings" };

const labelOf = ({ node, worst, isStart, isEnd }: FaceData): string => {
  const name = node.title === "" ? node.id : node.title;
  const places = `${isStart ? ", start" : ""}${isEnd ? ", end" : ""}`;

  return `${NODE_KINDS[node.kind].title} ${name}${places}${worst === null ? "" : SAID[worst]}`;
};

const isSameFace = (a: FaceData, b: FaceData) => a.node === b.node && a.worst === b.worst && a.isStart === b.isStart && a.isEnd === b.isEnd;

export type NodeView = {
  readonly selected: ReadonlySet<string>;
  readonly dragging: Readonly<Record<string, Point>>;
  readonly worst: ReadonlyMap<string, Severity>;
};

/** @param before the nodes as they were drawn last, by id; changed to what is drawn now */
export const toFlowNodes = (graph: Graph, view: NodeView, before: Map<string, FlowNode>): FlowNode[] => {
  const ends = new Set(graph.end_nodes);
  const nodes = graph.nodes.map((node): FlowNode => {
    const data: FaceData = { node, worst: view.worst.get(`node:${node.id}`) ?? null, isStart: node.id === graph.start_node, isEnd: ends.has(node.id) };
    const position = view.dragging[node.id] ?? node.position;
    const selected = view.selected.has(node.id);
    const last = before.get(node.id);
    if (last && isSameFace(last.data, data) && last.selected === selected && last.position.x === position.x && last.position.y === position.y) return last;

    return {
      id: node.id,
      type: "face",
      position: { ...position },
      data: last && isSameFace(last.data, data) ? last.data : data,
      selected,
      width: NODE_WIDTH_PX,
      height: NODE_HEIGHT_PX,
      handles: HANDLES,
      ariaLabel: labelOf(data),
    };
  });
  before.clear();
  for (const node of nodes) before.set(node.id, node);

  return nodes;
};

const COLORS: Record<GraphEdge["kind"], string> = {
  normal: "var(--control)",
  default: "var(--control)",
  error: "var(--refused)",
  timeout: "var(--waiting)",
};

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
    source: edge.source,
    target: edge.target,
    selected,
    label: edgeText(edge),
    ariaLabel: `Edge from ${edge.source} to ${edge.target}${edge.kind === "normal" ? "" : `, ${edge.kind}`}${worst === undefined ? "" : SAID[worst]}`,
    interactionWidth: 16,
    style: { stroke: color, strokeWidth: selected ? 2 : 1.25, ...(edge.kind === "normal" ? {} : { strokeDasharray: "5 4" }) },
    labelStyle: { fill: "var(--muted)", fontSize: 11, fontFamily: "var(--font-geist-mono)" },
    labelBgStyle: { fill: "var(--canvas)" },
    labelBgPadding: [4, 2],
    markerEnd: { type: MarkerType.ArrowClosed, color, width: 16, height: 16 },
  };
};

/** @param cache one per canvas; a document's edge is immutable, so it can be the key */
export const toFlowEdges = (
  graph: Graph,
  selection: Selection,
  worst: ReadonlyMap<string, Severity>,
  cache: WeakMap<GraphEdge, FlowEdge>,
): FlowEdge[] => {
  const selected = new Set(selection.edges);

  return graph.edges.map((edge) => {
    const worstHere = worst.get(`edge:${edge.id}`);
    const fresh = flowEdge(edge, selected.has(edge.id), worstHere);
    const last = cache.get(edge);
    if (last && last.selected === fresh.selected && last.ariaLabel === fresh.ariaLabel) return last;
    cache.set(edge, fresh);

    return fresh;
  });
};
