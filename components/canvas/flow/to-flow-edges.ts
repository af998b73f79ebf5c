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
  // A difference needs a word, not only colour.
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

/** Declared connections to existing nodes. */
const declared = (graph: Graph, drawn: DrawnEdges["ways"]): FlowEdge[] => {
  const ids = new Set(graph.nodes.map((node) => node.id));

  return graph.nodes.flatMap((node) => {
    const ways = drawn.get(node) ?? listDeclaredEdges(node);
    drawn.set(node, ways);

    return ways.filter((way) => ids.has(way.target));
  });
};

type Look = readonly [selected: boolean, worst: Severity | undefined, mark: ChangeMark | undefined, said: string];

/** Cache of one canvas, keyed by immutable edges and nodes. */
export type DrawnEdges = {
  readonly edges: WeakMap<GraphEdge, { readonly look: Look; readonly edge: FlowEdge }>;
  readonly ways: WeakMap<GraphNode, readonly FlowEdge[]>;
  /** Reused when unchanged: React Flow scans each new list. */
  last: FlowEdge[];
};

export const nothingDrawn = (): DrawnEdges => ({ edges: new WeakMap(), ways: new WeakMap(), last: [] });

type EdgeView = {
  readonly worst: ReadonlyMap<string, Severity>;
  readonly marks: ReadonlyMap<string, ChangeMark>;
  readonly said: ReadonlyMap<string, Decoration>;
};

const sameItems = <T>(a: readonly T[], b: readonly T[]): boolean => a.length === b.length && a.every((item, index) => item === b[index]);

/** @param drawn updated cache */
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
