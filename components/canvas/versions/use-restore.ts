"use client";

import { useCanvasHere } from "@/components/canvas/state/canvas-context";
import { notify } from "@/components/ui/toast";
import type { Graph } from "@/lib/graph/document";
import { computeContentHash } from "@/lib/graph/file";

/** Restores a document with undo. Needs the draft's canvas. */
export const useRestore = () => {
  const { store } = useCanvasHere();

  return {
    /** Null: can be restored. */
    whyNot: (document: Graph): string | null => {
      const { readOnly, history } = store.getState();

      return readOnly ?? (computeContentHash(history.document) === computeContentHash(document) ? "The draft already matches" : null);
    },
    /** @param said new state, such as "version 3" */
    restore: (document: Graph, said: string): void => {
      const { history, replace } = store.getState();
      replace({ ...document, id: history.document.id });
      notify({ tone: "info", title: `The draft is now ${said}. You can undo this.` });
    },
  };
};
