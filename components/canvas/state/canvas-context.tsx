"use client";

import { createContext, useContext, useEffect, type ReactNode } from "react";
import { useStore } from "zustand";
import type { Graph } from "@/lib/graph/document";
import { startAnalyst } from "./analyst";
import type { CanvasState, CanvasStore } from "./canvas-store";
import type { Saver } from "./saver";

export type Canvas = { readonly store: CanvasStore; readonly saver: Saver };

const Context = createContext<Canvas | null>(null);

/** While it is mounted, what is said about the document keeps up with it. */
export const CanvasProvider = ({ canvas, children }: { readonly canvas: Canvas; readonly children: ReactNode }) => {
  useEffect(() => startAnalyst(canvas.store), [canvas]);

  return <Context value={canvas}>{children}</Context>;
};

export const useCanvasHere = (): Canvas => {
  const canvas = useContext(Context);
  if (!canvas) throw new Error("this component belongs inside a canvas");

  return canvas;
};

/** A part of the canvas's state; the component renders again only when that part changes. */
export const useCanvas = <T,>(select: (state: CanvasState) => T): T => useStore(useCanvasHere().store, select);

/** For event handlers: reads and changes without rendering. */
export const useCanvasStore = (): CanvasStore => useCanvasHere().store;

export const useSaver = (): Saver => useCanvasHere().saver;

export const useDocument = (): Graph => useCanvas((state) => state.history.document);

export const useEdit = (): CanvasState["edit"] => useCanvas((state) => state.edit);
