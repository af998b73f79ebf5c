"use client";

import { createContext, useContext, useEffect, type ReactNode } from "react";
import { useStore } from "zustand";
import type { Graph } from "@/lib/graph/document";
import { startAnalyst } from "./analyst";
import type { CanvasState, CanvasStore } from "./canvas-store";
import type { Saver } from "./saver";

export type Canvas = { readonly store: CanvasStore; readonly saver: Saver };

const Context = createContext<Canvas | null>(null);

export const CanvasProvider = ({ canvas, children }: { readonly canvas: Canvas; readonly children: ReactNode }) => {
  useEffect(() => startAnalyst(canvas.store), [canvas]);

  return <Context value={canvas}>{children}</Context>;
};

export const useCanvasHere = (): Canvas => {
  const canvas = useContext(Context);
  if (!canvas) throw new Error("this component belongs inside a canvas");

  return canvas;
};

/** Selects state; renders only when it changes. */
export const useCanvas = <T,>(select: (state: CanvasState) => T): T => useStore(useCanvasHere().store, select);

export const useCanvasStore = (): CanvasStore => useCanvasHere().store;

export const useSaver = (): Saver => useCanvasHere().saver;

export const useDocument = (): Graph => useCanvas((state) => state.history.document);

export const useEdit = (): CanvasState["edit"] => useCanvas((state) => state.edit);
