/** Converts nodes for React Flow; unchanged ones keep their identity. */
import { Position, type Node } from "@xyflow/react";
import type { ChangeMark } from "@/lib/graph/diff";
import type { Graph, GraphNode } from "@/lib/graph/document";
import type { Integrity } from "@/lib/graph/label";
import { NODE_KINDS } from "@/lib/graph/kinds";
import type { Severity } from "@/lib/graph/problems/problem";
import type { Decoration } from "./decoration";
import { HANDLE_PX, NODE_HEIGHT_PX, NODE_WIDTH_PX } from "./geometry";

export type FaceData = {
  readonly node: GraphNode;
  readonly worst: Severity | null;
  /** Null: writes nothing. */
  readonly zone: Integrity | null;
  readonly isStart: boolean;
  readonly isEnd: boolean;
  readonly mark: ChangeMark | null;
};

export type FlowNode = Node<FaceData, "face">;

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

/** The canvas frame is the only Tab stop. */
export const FOCUS = { ariaRole: "group", domAttributes: { tabIndex: -1 } } as const;

const SIZE = { width: NODE_WIDTH_PX, height: NODE_HEIGHT_PX };
const HANDLES = [handle("target", 0, Position.Left), handle("source", NODE_WIDTH_PX, Position.Right)];

export const SAID: Record<Severity, string> = { error: ", has errors", warning: ", has warnings" };

const WRITES: Record<Integrity, string> = { trusted: "clean", reviewed: "reviewed", untrusted: "tainted" };

const labelOf = ({ node, worst, zone, isStart, isEnd, mark }: FaceData): string => {
  const name = node.title === "" ? node.id : node.title;
  const places = `${isStart ? ", start" : ""}${isEnd ? ", end" : ""}`;

  const writes = zone === null ? "" : `, writes ${WRITES[zone]}`;

  return `${NODE_KINDS[node.kind].title} ${name}${places}${mark === null ? "" : `, ${mark}`}${writes}${worst === null ? "" : SAID[worst]}`;
};

const isSameFace = (a: FaceData, b: FaceData) =>
  a.node === b.node && a.worst === b.worst && a.mark === b.mark && a.zone === b.zone && a.isStart === b.isStart && a.isEnd === b.isEnd;

export type NodeView = {
  readonly selected: ReadonlySet<string>;
  readonly dragging: Readonly<Record<string, Point>>;
  readonly worst: ReadonlyMap<string, Severity>;
  readonly zones: ReadonlyMap<string, Integrity>;
  readonly marks: ReadonlyMap<string, ChangeMark>;
  readonly said: ReadonlyMap<string, Decoration>;
};

/** @param before updated cache by id */
export const toFlowNodes = (graph: Graph, view: NodeView, before: Map<string, FlowNode>): FlowNode[] => {
  const ends = new Set(graph.end_nodes);
  const nodes = graph.nodes.map((node): FlowNode => {
    const data: FaceData = {
      node,
      worst: view.worst.get(`node:${node.id}`) ?? null,
      zone: view.zones.get(node.id) ?? null,
      isStart: node.id === graph.start_node,
      isEnd: ends.has(node.id),
      mark: view.marks.get(node.id) ?? null,
    };
    const position = view.dragging[node.id] ?? node.position;
    const selected = view.selected.has(node.id);
    const last = before.get(node.id);
    const ariaLabel = `${labelOf(data)}${view.said.get(node.id)?.said ?? ""}`;
    if (
      last &&
      last.ariaLabel === ariaLabel &&
      isSameFace(last.data, data) &&
      last.selected === selected &&
      last.position.x === position.x &&
      last.position.y === position.y
    )
      return last;

    return {
      id: node.id,
      type: "face",
      position: { ...position },
      data: last && isSameFace(last.data, data) ? last.data : data,
      selected,
      width: NODE_WIDTH_PX,
      height: NODE_HEIGHT_PX,
      // Lets fitting count nodes that were never drawn.
      measured: SIZE,
      handles: HANDLES,
      ...FOCUS,
      ariaLabel,
    };
  });
  before.clear();
  for (const node of nodes) before.set(node.id, node);

  return nodes;
};
