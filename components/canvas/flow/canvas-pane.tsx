"use client";

import "@xyflow/react/dist/base.css";
import "./canvas.css";
import { Background, BackgroundVariant, Controls, MiniMap, ReactFlow } from "@xyflow/react";
import { useMemo, useState } from "react";
import { useCanvas, useDocument } from "@/components/canvas/state/canvas-context";
import { worstByPlace } from "@/components/canvas/state/use-problems";
import { GRID_PX } from "./geometry";
import { NodeFace } from "./node-face";
import { FIT, firstView } from "./first-view";
import { toFlowNodes, type FlowNode } from "./to-flow";
import { toFlowEdges, type DrawnEdges } from "./to-flow-edges";
import { useFlowChanges } from "./use-flow-changes";
import { WayEdge } from "./way-edge";
import { ZoneLegend } from "./zone-legend";

const NODE_TYPES = { face: NodeFace };
const EDGE_TYPES = { way: WayEdge };
const GRID: [number, number] = [GRID_PX, GRID_PX];
const PRO = { hideAttribution: false };
const MINIMAP_FROM = 8;
const LABELS = {
  "node.a11yDescription.default": "Press Enter or Space to select a node. Then arrow keys move it, c connects it, Delete removes it.",
  "edge.a11yDescription.default": "Press Enter or Space to select an edge. Then Delete removes it.",
};

/** The drawing itself. */
export const CanvasPane = () => {
  const document = useDocument();
  const selection = useCanvas((state) => state.selection);
  const dragging = useCanvas((state) => state.dragging);
  const marks = useCanvas((state) => state.marks);
  const isReadOnly = useCanvas((state) => state.readOnly !== null);
  const changes = useFlowChanges();
  const [drawn] = useState((): { nodes: Map<string, FlowNode>; edges: DrawnEdges } => ({
    nodes: new Map(),
    edges: { edges: new WeakMap(), ways: new WeakMap() },
  }));
  const { problems, zones } = useCanvas((state) => state.findings);
  const worst = useMemo(() => worstByPlace(problems), [problems]);
  const nodes = useMemo(
    () => toFlowNodes(document, { selected: new Set(selection.nodes), dragging, worst, zones, marks: marks.nodes }, drawn.nodes),
    [document, selection.nodes, dragging, worst, zones, marks, drawn],
  );
  const edges = useMemo(
    () => toFlowEdges(document, selection, { worst, marks: marks.edges }, drawn.edges),
    [document, selection, worst, marks, drawn],
  );

  return (
    <ReactFlow
      nodes={nodes}
      edges={edges}
      nodeTypes={NODE_TYPES}
      edgeTypes={EDGE_TYPES}
      {...changes}
      nodesDraggable={!isReadOnly}
      nodesConnectable={!isReadOnly}
      deleteKeyCode={null}
      onlyRenderVisibleElements
      elevateEdgesOnSelect
      snapToGrid
      snapGrid={GRID}
      onInit={(instance) => void firstView(instance, { startNode: document.start_node, selected: selection.nodes })}
      fitViewOptions={FIT}
      minZoom={0.1}
      maxZoom={2}
      proOptions={PRO}
      ariaLabelConfig={LABELS}
    >
      <Background variant={BackgroundVariant.Dots} gap={GRID_PX * 3} size={1} />
      <Controls showInteractive={false} />
      {zones.size === 0 ? null : <ZoneLegend />}
      {document.nodes.length >= MINIMAP_FROM ? <MiniMap pannable zoomable ariaLabel="Map of the graph" /> : null}
    </ReactFlow>
  );
};
