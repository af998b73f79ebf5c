"use client";

import { useCanvasHere } from "@/components/canvas/state/canvas-context";
import { notify } from "@/components/ui/toast";
import type { Graph } from "@/lib/graph/document";
import { computeContentHash } from "@/lib/graph/file";

/** Puts another document in the place of the draft, as one edit that can be undone. To be used around the draft's canvas. */
export const useRestore = () => {
  const { store } = useCanvasHere();

  return {
    /** Why a document cannot take the draft's place, or null. */
    whyNot: (document: Graph): string | null => {
      const { readOnly, history } = store.getState();

      return readOnly ?? (computeContentHash(history.document) === computeContentHash(document) ? "The draft already matches" : null);
    },
    /** @param said what the draft is now, such as "version 3" */
    restore: (document: Graph, said: string): void => {
      const { history, replace } = store.getState();
      replace({ ...document, id: history.document.id });
      notify({ tone: "info", title: `The draft is now ${said}. You can undo this.` });
    },
  };
};
