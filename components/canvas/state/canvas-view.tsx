"use client";

/** How one looks at a graph and works on it, as far as it is neither part of the document nor of the address. */
import { createContext, useContext, useState, type ReactNode } from "react";
import { useStore } from "zustand";
import { createStore, type StoreApi } from "zustand/vanilla";

type Point = { readonly x: number; readonly y: number };

/** A new node is about to be added: where, and what it will be joined to. */
export type Adding = {
  /** On the canvas, for the node. */
  readonly at: Point;
  /** On the screen, for the list of kinds. */
  readonly shownAt: Point;
  readonly join?: { readonly node: string; readonly as: "source" | "target" };
};

export type CanvasView = {
  /** What dragging on the empty canvas does. */
  readonly drag: "pan" | "select";
  /** Background work, and how to cancel it. */
  readonly work: { readonly word: string; readonly cancel: () => void } | null;
  readonly adding: Adding | null;
  /** Where the pointer is on the screen, while it is over the canvas. */
  readonly pointer: Point | null;
  readonly set: (change: Partial<Pick<CanvasView, "drag" | "work" | "adding" | "pointer">>) => void;
};

export type CanvasViewStore = StoreApi<CanvasView>;

const createCanvasView = (): CanvasViewStore =>
  createStore<CanvasView>((set) => ({ drag: "pan", work: null, adding: null, pointer: null, set: (change) => set(change) }));

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
