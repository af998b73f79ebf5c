"use client";

/** View state outside document and URL. */
import { createContext, useContext, useState, type ReactNode } from "react";
import { useStore } from "zustand";
import { createStore, type StoreApi } from "zustand/vanilla";

type Point = { readonly x: number; readonly y: number };

export type Adding = {
  readonly at: Point;
  readonly shownAt: Point;
  readonly join?: { readonly node: string; readonly as: "source" | "target" };
};

export type CanvasView = {
  readonly drag: "pan" | "select";
  readonly work: { readonly word: string; readonly cancel: () => void } | null;
  readonly adding: Adding | null;
  /** `auto`: shown where there is room. */
  readonly palette: "auto" | "shown" | "hidden";
  /** Shown without a selection also where there is little room. */
  readonly isPanelAsked: boolean;
  /** Screen position over the canvas, else null. */
  readonly pointer: Point | null;
  readonly set: (change: Partial<Pick<CanvasView, "drag" | "work" | "adding" | "palette" | "isPanelAsked" | "pointer">>) => void;
};

export type CanvasViewStore = StoreApi<CanvasView>;

const createCanvasView = (): CanvasViewStore =>
  createStore<CanvasView>((set) => ({
    drag: "pan",
    work: null,
    adding: null,
    palette: "auto",
    isPanelAsked: false,
    pointer: null,
    set: (change) => set(change),
  }));

const Context = createContext<CanvasViewStore | null>(null);

export const CanvasViewProvider = ({ children }: { readonly children: ReactNode }) => {
  const [view] = useState(createCanvasView);

  return <Context value={view}>{children}</Context>;
};

export const useCanvasViewStore = (): CanvasViewStore => {
  const view = useContext(Context);
  if (!view) throw new Error("this component belongs inside a canvas");

  return view;
};

export const useCanvasView = <T,>(select: (view: CanvasView) => T): T => useStore(useCanvasViewStore(), select);
