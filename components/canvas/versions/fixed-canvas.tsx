"use client";

import { ReactFlowProvider } from "@xyflow/react";
import { useEffect, useState, type ReactNode } from "react";
import { CanvasProvider, type Canvas } from "@/components/canvas/state/canvas-context";
import { createCanvasStore, type CanvasMarks } from "@/components/canvas/state/canvas-store";
import { CanvasViewProvider } from "@/components/canvas/state/canvas-view";
import { NO_SAVER } from "@/components/canvas/state/saver";
import type { Graph } from "@/lib/graph/document";
import type { ValidationContext } from "@/lib/graph/problems/facts";

type Props = {
  readonly graphId: string;
  readonly document: Graph;
  readonly catalog: ValidationContext;
  /** Why nothing can be changed here. */
  readonly readOnly: string;
  readonly marks?: CanvasMarks;
  /** What is pointed at when it opens. */
  readonly node?: string | null;
  readonly children: ReactNode;
};

/** A canvas of a document that stays as it is. Another document is another canvas: give it a key. */
export const FixedCanvas = ({ graphId, document, catalog, readOnly, marks, node = null, children }: Props) => {
  const [canvas] = useState((): Canvas => {
    const store = createCanvasStore({
      graphId,
      catalog,
      readOnly,
      revision: 0,
      document,
      selection: { nodes: node === null ? [] : [node], edges: [] },
      ...(marks ? { marks } : {}),
    });

    return { store, saver: NO_SAVER };
  });
  // What the document may name can come later, and again; the page around the drawing stays as it is then.
  useEffect(() => canvas.store.getState().set({ catalog }), [canvas, catalog]);

  return (
    <CanvasProvider canvas={canvas}>
      <ReactFlowProvider>
        <CanvasViewProvider>{children}</CanvasViewProvider>
      </ReactFlowProvider>
    </CanvasProvider>
  );
};
