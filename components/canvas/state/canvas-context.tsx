"use client";

import { createContext, useContext, type ReactNode } from "react";
import { useStore } from "zustand";
import type { Graph } from "@/lib/graph/document";
import type { CanvasState, CanvasStore } from "./canvas-store";
import type { Saver } from "./saver";

type Canvas = { readonly store: CanvasStore; readonly saver: Saver };

const Context = createContext<Canvas | null>(null);

export const CanvasProvider = ({ canvas, children }: { readonly canvas: Canvas; readonly children: ReactNode }) => (
  <Context value={canvas}>{children}</Context>
);

const useHere = (): Canvas => {
  const canvas = useContext(Context);
  if (!canvas) throw new Error("this component belongs inside a canvas");

  return canvas;
};

/** A part of the canvas's state; the component renders again only when that part changes. */
export const useCanvas = <T,>(select: (state: CanvasState) => T): T => useStore(useHere().store, select);

/** For event handlers: reads and changes without rendering. */
export const useCanvasStore = (): CanvasStore => useHere().store;

export const useSaver = (): Saver => useHere().saver;

export const useDocument = (): Graph => useCanvas((state) => state.history.document);

export const useEdit = (): CanvasState["edit"] => useCanvas((state) => state.edit);
