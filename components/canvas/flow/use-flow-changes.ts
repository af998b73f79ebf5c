"use client";

import { useStoreApi, type Connection, type EdgeChange, type NodeChange } from "@xyflow/react";
import { useMemo } from "react";
import { useCanvasStore } from "@/components/canvas/state/canvas-context";
import type { CanvasStore } from "@/components/canvas/state/canvas-store";
import { createEdge } from "@/lib/graph/edit-nodes";
import type { FlowNode } from "./to-flow";
import type { FlowEdge } from "./to-flow-edges";

type Selecting = { readonly type: "select"; readonly id: string; readonly selected: boolean };

const applySelection = (before: readonly string[], changes: readonly Selecting[]): readonly string[] => {
  const selected = new Set(before);
  for (const { id, selected: isSelected } of changes) {
    if (isSelected) selected.add(id);
    else selected.delete(id);
  }

  return [...selected];
};

type Drawing = ReturnType<typeof useStoreApi<FlowNode, FlowEdge>>;

/** A drag frame renders only the node and its edges. */
const drawAt = (drawing: Drawing, positions: ReturnType<CanvasStore["getState"]>["dragging"]) => {
  const { nodes, setNodes } = drawing.getState();
  setNodes(
    nodes.map((node) => {
      const position = positions[node.id];

      return position ? { ...node, position } : node;
    }),
  );
};

const onNodes = (store: CanvasStore, drawing: Drawing, changes: readonly NodeChange<FlowNode>[]) => {
  const { selection, dragging, select, drag, edit } = store.getState();
  const selecting = changes.filter((change) => change.type === "select");
  if (selecting.length > 0) select({ nodes: applySelection(selection.nodes, selecting) });

  const moves = changes.filter((change) => change.type === "position");
  if (moves.length === 0) return;
  const moving = Object.fromEntries(moves.flatMap(({ id, position }) => (position ? [[id, position]] : [])));
  if (moves.some((move) => move.dragging)) {
    drag({ ...dragging, ...moving });
    drawAt(drawing, moving);

    return;
  }
  const dropped = { ...dragging, ...moving };
  drag({});
  if (Object.keys(dropped).length === 0) return;
  // A drag is one undo step; consecutive arrow keys share one.
  const isDrag = Object.keys(dragging).length > 0;
  edit([{ op: "move_nodes", positions: dropped }], isDrag ? undefined : `move ${Object.keys(dropped).join(" ")}`);
};

const onEdges = (store: CanvasStore, changes: readonly EdgeChange<FlowEdge>[]) => {
  const selecting = changes.filter((change) => change.type === "select");
  if (selecting.length > 0) store.getState().select({ edges: applySelection(store.getState().selection.edges, selecting) });
};

/** Adds and selects an edge, or selects the one always taken: a second never would be. */
export const connectNodes = (store: CanvasStore, source: string, target: string): void => {
  const graph = store.getState().history.document;
  const known = graph.edges.find(
    (edge) => edge.source === source && edge.target === target && edge.kind === "normal" && edge.condition === undefined,
  );
  const edge = known ?? createEdge(graph, source, target);
  if (!known) store.getState().edit([{ op: "add_edge", edge }]);
  store.getState().select({ nodes: [], edges: [edge.id] });
};

export const useFlowChanges = () => {
  const store = useCanvasStore();
  const drawing = useStoreApi<FlowNode, FlowEdge>();

  return useMemo(
    () => ({
      onNodesChange: (changes: NodeChange<FlowNode>[]) => onNodes(store, drawing, changes),
      onEdgesChange: (changes: EdgeChange<FlowEdge>[]) => onEdges(store, changes),
      onConnect: ({ source, target }: Connection) => connectNodes(store, source, target),
    }),
    [store, drawing],
  );
};
