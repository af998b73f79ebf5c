"use client";

import { useReactFlow, useStore } from "@xyflow/react";
import { useEffect } from "react";
import { useCanvasStore } from "@/components/canvas/state/canvas-context";
import { bringIntoView } from "./bring-into-view";

/** A panel that opens beside the drawing must not cover what it is about. */
export const KeepInView = () => {
  const store = useCanvasStore();
  const flow = useReactFlow();
  const widthPx = useStore((state) => state.width);
  useEffect(() => {
    const { selection, history } = store.getState();
    const node = selection.nodes.length === 1 ? history.document.nodes.find(({ id }) => id === selection.nodes[0]) : undefined;
    if (node && widthPx > 0) bringIntoView(flow, node.position);
  }, [store, flow, widthPx]);

  return null;
};
