"use client";

import { useReactFlow, useStore } from "@xyflow/react";
import { useEffect } from "react";
import { useCanvasStore } from "@/components/canvas/state/canvas-context";
import { bringIntoView } from "./bring-into-view";

/** Keeps an opening panel from covering its subject. */
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
