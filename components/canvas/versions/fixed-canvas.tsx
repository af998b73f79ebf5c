"use client";

import { ReactFlowProvider } from "@xyflow/react";
import { useEffect, useState, type ReactNode } from "react";
import { CanvasProvider, type Canvas } from "@/components/canvas/state/canvas-context";
import { createCanvasStore, type CanvasMarks } from "@/components/canvas/state/canvas-store";
import { CanvasViewProvider } from "@/components/canvas/state/canvas-view";
import { NO_SAVER } from "@/components/canvas/state/saver";
import type { Graph } from "@/lib/graph/document";
import type { ValidationContext } from "@/lib/graph/facts/facts";

type Props = {
  readonly graphId: string;
  readonly document: Graph;
  readonly catalog: ValidationContext;
  readonly readOnly: string;
  readonly marks?: CanvasMarks;
  readonly node?: string | null;
  readonly children: ReactNode;
};

/** Read-only canvas; set a key per document. */
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
  // The catalog may load later, without remounting.
  useEffect(() => canvas.store.getState().set({ catalog }), [canvas, catalog]);

  return (
    <CanvasProvider canvas={canvas}>
      <ReactFlowProvider>
        <CanvasViewProvider>{children}</CanvasViewProvider>
      </ReactFlowProvider>
    </CanvasProvider>
  );
};
