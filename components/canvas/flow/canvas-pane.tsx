"use client";

import "@xyflow/react/dist/base.css";
import "./canvas.css";
import { Background, BackgroundVariant, Controls, ReactFlow, SelectionMode, useStoreApi, type OnConnectEnd } from "@xyflow/react";
import { useRovingFocus } from "@/components/canvas/keyboard/use-roving-focus";
import { useCanvas, useCanvasStore } from "@/components/canvas/state/canvas-context";
import { GRID_PX, MIN_ZOOM } from "./geometry";
import { KeepInView } from "./keep-in-view";
import { NodeFace } from "./node-face";
import { FIT, showFirstView } from "./first-view";
import { Overview } from "./overview";
import { useDrawn } from "./use-drawn";
import { useFlowChanges } from "./use-flow-changes";
import { GraphEdgeView } from "./graph-edge";

const NODE_TYPES = { face: NodeFace };
const EDGE_TYPES = { way: GraphEdgeView };
const GRID: [number, number] = [GRID_PX, GRID_PX];
const PRO = { hideAttribution: false };
const OVERVIEW_FROM = 8;
/** Two fingers, the wheel and the middle button pan. */
const SELECTING = { selectionOnDrag: true, panOnDrag: [1], panOnScroll: true };
const HINT = "canvas-keys";

type Props = {
  /** Empty-canvas drag; two fingers pan. */
  readonly drag?: "pan" | "select";
  readonly onConnectEnd?: OnConnectEnd;
};

export const CanvasPane = ({ drag = "pan", onConnectEnd }: Props) => {
  const store = useCanvasStore();
  const drawing = useStoreApi();
  const isLarge = useCanvas((state) => state.history.document.nodes.length >= OVERVIEW_FROM);
  const isReadOnly = useCanvas((state) => state.readOnly !== null);
  const changes = useFlowChanges();
  const roving = useRovingFocus();
  const { nodes, edges } = useDrawn();

  return (
    <ReactFlow
      nodes={nodes}
      edges={edges}
      nodeTypes={NODE_TYPES}
      edgeTypes={EDGE_TYPES}
      {...changes}
      {...roving}
      {...(onConnectEnd ? { onConnectEnd } : {})}
      {...(drag === "select" ? SELECTING : {})}
      aria-label="Nodes and edges"
      aria-describedby={HINT}
      nodesFocusable={false}
      edgesFocusable={false}
      disableKeyboardA11y
      nodesDraggable={!isReadOnly}
      nodesConnectable={!isReadOnly}
      deleteKeyCode={null}
      selectionMode={SelectionMode.Partial}
      onlyRenderVisibleElements
      elevateEdgesOnSelect
      snapToGrid
      snapGrid={GRID}
      onInit={(instance) => {
        const { history, selection } = store.getState();
        void showFirstView(instance, drawing.getState(), { startNode: history.document.start_node, selected: selection.nodes });
      }}
      fitViewOptions={FIT}
      minZoom={MIN_ZOOM}
      maxZoom={2}
      proOptions={PRO}
    >
      <p id={HINT} hidden>
        Arrow keys follow the edges, Enter opens the form, a adds a node, c connects one, o shows the outline, and ? shows all keys.
      </p>
      <Background variant={BackgroundVariant.Dots} gap={GRID_PX * 3} size={1} />
      <Controls showInteractive={false} />
      {isLarge ? <Overview /> : null}
      <KeepInView />
    </ReactFlow>
  );
};
