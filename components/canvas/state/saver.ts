/** Saves the document of a canvas by its revision: one save at a time, after a pause in editing or at once. */
import type { Graph } from "@/lib/graph/document";
import type { CanvasStore, Conflict } from "./canvas-store";

export type SaveAnswer = { readonly status: "saved"; readonly revision: number } | ({ readonly status: "conflict" } & Conflict);

export type SaveRequest = { readonly id: string; readonly revision: number; readonly document: Graph };

export type Saver = {
  /** Saves what is there now. @returns the revision that holds it, or null when it could not be saved */
  readonly saveNow: () => Promise<number | null>;
  /** Keeps this document although somebody else saved: it becomes the revision after theirs. */
  readonly keepMine: () => Promise<number | null>;
  /** Saves by itself from now on. @returns what ends that */
  readonly start: () => () => void;
};

const PAUSE_MS = 1_500;

/** @param describe says what went wrong, in one sentence */
export const createSaver = (
  store: CanvasStore,
  send: (request: SaveRequest) => Promise<SaveAnswer>,
  describe: (error: unknown) => string,
): Saver => {
  let running: Promise<number | null> | null = null;

  const saveOnce = async (): Promise<number | null> => {
    const { graphId, history, revision, saved, readOnly, set } = store.getState();
    const { document } = history;
    if (readOnly !== null || document === saved) return revision;
    set({ status: "saving", failure: null });
    try {
      const answer = await send({ id: graphId, revision, document });
      if (answer.status === "conflict") {
        set({ status: "conflict", conflict: { revision: answer.revision, document: answer.document } });

        return null;
      }
      const isNewest = store.getState().history.document === document;
      set({ saved: document, revision: answer.revision, status: isNewest ? "saved" : "dirty" });

      return isNewest ? answer.revision : await saveOnce();
    } catch (error) {
      set({ status: "failed", failure: describe(error) });

      return null;
    }
  };

  const saveNow = (): Promise<number | null> => {
    if (store.getState().conflict) return Promise.resolve(null);
    running ??= saveOnce().finally(() => {
      running = null;
    });

    return running;
  };

  const keepMine = (): Promise<number | null> => {
    const { conflict, set } = store.getState();
    if (conflict) set({ conflict: null, revision: conflict.revision, saved: conflict.document, status: "dirty" });

    return saveNow();
  };

  const start = () => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    const unsubscribe = store.subscribe((state, before) => {
      if (state.history.document === before.history.document || state.history.document === state.saved) return;
      if (timer !== null) clearTimeout(timer);
      timer = setTimeout(() => void saveNow(), PAUSE_MS);
    });

    return () => {
      unsubscribe();
      if (timer !== null) clearTimeout(timer);
      // Leaving the page within the pause loses nothing.
      void saveNow();
    };
  };

  return { saveNow, keepMine, start };
};
