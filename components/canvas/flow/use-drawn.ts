"use client";

import { useMemo, useState } from "react";
import { useCanvas, useCanvasStore, useDocument } from "@/components/canvas/state/canvas-context";
import { rankWorstByPlace } from "@/components/canvas/state/use-problems";
import { toFlowNodes, type FlowNode } from "./to-flow";
import { nothingDrawn, toFlowEdges, type DrawnEdges } from "./to-flow-edges";

export const useDrawn = () => {
  const store = useCanvasStore();
  const document = useDocument();
  const selection = useCanvas((state) => state.selection);
  const marks = useCanvas((state) => state.marks);
  const said = useCanvas((state) => state.decorations);
  const { problems, zones } = useCanvas((state) => state.findings);
  const [drawn] = useState((): { nodes: Map<string, FlowNode>; edges: DrawnEdges } => ({
    nodes: new Map(),
    edges: nothingDrawn(),
  }));
  const worst = useMemo(() => rankWorstByPlace(problems), [problems]);
  const nodes = useMemo(() => {
    // Drag frames update React Flow directly; see `useFlowChanges`.
    const { dragging } = store.getState();

    return toFlowNodes(
      document,
      { selected: new Set(selection.nodes), dragging, worst, zones, marks: marks.nodes, said: said.nodes },
      drawn.nodes,
    );
  }, [store, document, selection.nodes, worst, zones, marks, said, drawn]);
  const edges = useMemo(
    () => toFlowEdges(document, selection, { worst, marks: marks.edges, said: said.edges }, drawn.edges),
    [document, selection, worst, marks, said, drawn],
  );

  return { nodes, edges };
};
