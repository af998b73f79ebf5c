/** Keeps what is said about the document up to date with the document. */
import { findingsOf } from "@/lib/graph/findings";
import type { CanvasStore } from "./canvas-store";

/** Looks at the document now and after each change. @returns what ends that */
export const startAnalyst = (store: CanvasStore): (() => void) => {
  const look = () => {
    const { history, catalog, set } = store.getState();
    set({ findings: findingsOf(history.document, catalog) });
  };
  look();

  return store.subscribe((state, before) => {
    if (state.history.document !== before.history.document || state.catalog !== before.catalog) look();
  });
};
