"use client";

import { useSyncExternalStore } from "react";
import { useCanvas } from "./canvas-context";
import { useCanvasView } from "./canvas-view";
import type { PanelName } from "./use-canvas-url";

/** As `xl` of Tailwind. */
const WIDE = "(width >= 80rem)";

export const isWide = (): boolean => window.matchMedia(WIDE).matches;

const subscribe = (onChange: () => void): (() => void) => {
  const query = window.matchMedia(WIDE);
  query.addEventListener("change", onChange);

  return () => query.removeEventListener("change", onChange);
};

/** Without a selection, an inspector not asked for yields scarce room to the drawing. */
export const useIsPanelShown = (panel: PanelName): boolean => {
  const hasRoom = useSyncExternalStore(subscribe, isWide, () => true);
  const isEmpty = useCanvas(({ selection }) => selection.nodes.length + selection.edges.length === 0);
  const isAsked = useCanvasView((state) => state.isPanelAsked);

  return panel !== "closed" && (panel !== "inspector" || hasRoom || !isEmpty || isAsked);
};
