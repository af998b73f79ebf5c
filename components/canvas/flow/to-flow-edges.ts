/** From the document to the edges that React Flow draws: its own, and what nodes declare besides them. */
import type { Edge } from "@xyflow/react";
import type { Selection } from "@/components/canvas/state/canvas-store";
import type { ChangeMark } from "@/lib/graph/diff";
import type { Graph, GraphEdge, GraphNode } from "@/lib/graph/document";
import type { Severity } from "@/lib/graph/problems/problem";
import type { Decoration } from "./decoration";
import { listDeclaredEdges } from "./declared-edges";
import { arrow, LABEL } from "./edge-style";
import { FOCUS, SAID } from "./to-flow";

export type FlowEdge = Edge;

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

const MARK_STYLE: Record<ChangeMark, object> = {
  added: { strokeWidth: 2.5 },
  changed: { strokeWidth: 2.5, strokeDasharray: "8 3" },
  removed: { strokeDasharray: "2 4" },
};

const flowEdge = (
  edge: GraphEdge,
  selected: boolean,
  worst: Severity | undefined,
  mark: ChangeMark | undefined,
  said: string,
): FlowEdge => {
  const drawn = mark === "added" || mark === "changed" ? "var(--accent)" : COLORS[edge.kind];
  // A difference is a word and not only a colour.
  const text = [mark, edgeText(edge)].filter((part) => part !== undefined).join(": ");
  const color = selected ? "var(--accent)" : worst === "error" ? "var(--refused)" : drawn;

  return {
    id: edge.id,
    type: "way",
    source: edge.source,
    target: edge.target,
    selected,
    ...(text === "" ? {} : { label: text }),
    ariaLabel: `Edge from ${edge.source} to ${edge.target}${edge.kind === "normal" ? "" : `, ${edge.kind}`}${mark === undefined ? "" : `, ${mark}`}${worst === undefined ? "" : SAID[worst]}${said}`,
    interactionWidth: 16,
    ...FOCUS,
    style: {
      stroke: color,
      strokeWidth: selected ? 2 : 1.25,
      ...(edge.kind === "normal" ? {} : { strokeDasharray: "5 4" }),
      ...(mark ? MARK_STYLE[mark] : {}),
    },
    ...LABEL,
    markerEnd: arrow(color),
  };
};

/** What nodes declare besides edges, as far as it leads to nodes that are there. */
const declared = (graph: Graph, drawn: DrawnEdges["ways"]): FlowEdge[] => {
  const ids = new Set(graph.nodes.map((node) => node.id));

  return graph.nodes.flatMap((node) => {
    const ways = drawn.get(node) ?? listDeclaredEdges(node);
    drawn.set(node, ways);

    return ways.filter((way) => ids.has(way.target));
  });
};

/** The view state of one edge. */
type Look = readonly [selected: boolean, worst: Severity | undefined, mark: ChangeMark | undefined, said: string];

/** What was drawn last, one per canvas. Edges and nodes of a document are immutable, so they can be keys. */
export type DrawnEdges = {
  readonly edges: WeakMap<GraphEdge, { readonly look: Look; readonly edge: FlowEdge }>;
  readonly ways: WeakMap<GraphNode, readonly FlowEdge[]>;
  /** The same list again when nothing in it has changed: React Flow looks through all of a new one. */
  last: FlowEdge[];
};

export const nothingDrawn = (): DrawnEdges => ({ edges: new WeakMap(), ways: new WeakMap(), last: [] });

type EdgeView = {
  readonly worst: ReadonlyMap<string, Severity>;
  readonly marks: ReadonlyMap<string, ChangeMark>;
  /** What an overlay adds to what is heard. */
  readonly said: ReadonlyMap<string, Decoration>;
};

const sameItems = <T>(a: readonly T[], b: readonly T[]): boolean => a.length === b.length && a.every((item, index) => item === b[index]);

/** @param drawn changed to what is drawn now */
export const toFlowEdges = (graph: Graph, selection: Selection, { worst, marks, said }: EdgeView, drawn: DrawnEdges): FlowEdge[] => {
  const selected = new Set(selection.edges);

  const own = graph.edges.map((edge) => {
    const look: Look = [selected.has(edge.id), worst.get(`edge:${edge.id}`), marks.get(edge.id), said.get(edge.id)?.said ?? ""];
    const last = drawn.edges.get(edge);
    if (last && sameItems(last.look, look)) return last.edge;
    const fresh = flowEdge(edge, ...look);
    drawn.edges.set(edge, { look, edge: fresh });

    return fresh;
  });
  const all = [...own, ...declared(graph, drawn.ways)];
  if (!sameItems(drawn.last, all)) drawn.last = all;

  return drawn.last;
};
