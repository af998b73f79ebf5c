"use client";

import { useReactFlow } from "@xyflow/react";
import { findFreePlace } from "@/components/canvas/flow/free-place";
import { STEP_PX } from "@/components/canvas/flow/geometry";
import { focusPlace } from "@/components/canvas/keyboard/go-to";
import { getSelectedPlace } from "@/components/canvas/keyboard/place";
import { KIND_CHOICES } from "@/components/canvas/kinds/kind-choices";
import { KINDS, createNode } from "@/components/canvas/kinds/kind-uis";
import { useCanvas, useCanvasStore, useDocument } from "@/components/canvas/state/canvas-context";
import type { CanvasStore } from "@/components/canvas/state/canvas-store";
import { Dialog } from "@/components/ui/dialog";
import type { Graph, GraphEdge, GraphNode } from "@/lib/graph/document";
import { addAfter, insertOnEdge } from "@/lib/graph/edit-edges";
import type { NodeKind } from "@/lib/graph/kinds";
import { getNodeName } from "@/lib/graph/facts/facts";
import { ChoiceList } from "./choice-list";

type Where = { readonly after: GraphNode } | { readonly on: GraphEdge } | null;

const whereOf = (graph: Graph, store: CanvasStore): Where => {
  const place = getSelectedPlace(store);
  const after = graph.nodes.find(({ id }) => place?.type === "node" && id === place.id);
  const on = graph.edges.find(({ id }) => place?.type === "edge" && id === place.id);

  return after ? { after } : on ? { on } : null;
};

const positionFor = (graph: Graph, where: Where) => {
  if (where === null) return { x: 0, y: 0 };
  if ("after" in where) return { x: where.after.position.x + STEP_PX, y: where.after.position.y };
  const ends = graph.nodes.filter(({ id }) => id === where.on.source || id === where.on.target);
  const middle = (axis: "x" | "y") => Math.round(ends.reduce((sum, { position }) => sum + position[axis], 0) / Math.max(1, ends.length));

  return { x: middle("x"), y: middle("y") };
};

const add = (store: CanvasStore, where: Where, kind: NodeKind): string => {
  const { history, catalog, edit, select } = store.getState();
  const graph = history.document;
  const node = createNode(kind, graph, catalog, findFreePlace(graph, positionFor(graph, where)));
  if (where === null) edit([{ op: "add_node", node }]);
  else edit("after" in where ? addAfter(graph, where.after.id, node) : insertOnEdge(graph, where.on, node));
  select({ nodes: [node.id], edges: [] });

  return node.id;
};

const titleOf = (where: Where): string => {
  if (where === null) return "Add a node";

  return "after" in where
    ? `Add a node after ${getNodeName(where.after)}`
    : `Insert a node between ${where.on.source} and ${where.on.target}`;
};

type Props = { readonly open: boolean; readonly onClose: () => void };

export const AddDialog = ({ open, onClose }: Props) => {
  const store = useCanvasStore();
  const flow = useReactFlow();
  const graph = useDocument();
  const selection = useCanvas((state) => state.selection);
  const isReadOnly = useCanvas((state) => state.readOnly !== null);
  const where = selection.nodes.length + selection.edges.length === 1 ? whereOf(graph, store) : null;

  return (
    <Dialog
      open={open && !isReadOnly}
      onOpenChange={(next) => (next ? undefined : onClose())}
      title={titleOf(where)}
      description={where === null ? "Choose what it does." : "Choose what it does. An edge to it is added as well."}
    >
      <ChoiceList
        label="Find a kind"
        noun="Kinds"
        choices={KIND_CHOICES}
        onChoose={(value) => {
          const kind = KINDS.find((known) => known === value);
          onClose();
          if (kind) focusPlace({ store, flow }, { type: "node", id: add(store, where, kind) });
        }}
      />
    </Dialog>
  );
};
