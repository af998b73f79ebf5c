import type { Graph } from "@/lib/graph/document";
import type { CanvasStore } from "./canvas-store";
import { allowEmpty, awaitAnswer, begin, delayMsOf, failed, isSaved, type Draft, type SaveAnswer } from "./saving";

export type SaveRequest = {
  readonly id: string;
  readonly revision: number;
  /** Hash of the content it changes. */
  readonly base?: string;
  readonly document: Graph;
  readonly allowEmpty: boolean;
};

export type SaverPorts = {
  readonly send: (request: SaveRequest) => Promise<SaveAnswer>;
  readonly describe: (error: unknown) => { readonly why: string; readonly isLasting: boolean };
  /** Calls when the connection may be back. @returns a stop function */
  readonly onOnline: (listener: () => void) => () => void;
};

export type Saver = {
  /** Saves now. @returns the revision, or null on failure */
  readonly saveNow: () => Promise<number | null>;
  /** Saves an empty graph after confirmation. */
  readonly saveEmpty: () => Promise<number | null>;
  /** Starts autosave. @returns a function that stops it with a last save */
  readonly start: () => () => Promise<number | null>;
};

/** Bounds merges with frequent saves by others. */
const MAX_ROUNDS = 10;

export const createSaver = (store: CanvasStore, { send, describe, onOnline }: SaverPorts): Saver => {
  let running: Promise<number | null> | null = null;
  const { saving } = store.getState();

  const sendOnce = async ({ sent, base }: { readonly sent: { document: Graph; allowEmpty: boolean }; readonly base: Draft["base"] }) => {
    const { revision, hash } = base;
    try {
      const answer = await send({
        id: store.getState().graphId,
        revision,
        ...(hash === null ? {} : { base: hash }),
        document: sent.document,
        allowEmpty: sent.allowEmpty,
      });
      saving((draft) => awaitAnswer(draft, answer));
    } catch (error) {
      const { why, isLasting } = describe(error);
      saving((draft) => failed(draft, why, isLasting));
    }
  };

  const rounds = async (): Promise<number | null> => {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const { save, base } = store.getState();
      if (save.at !== "sending") break;
      await sendOnce({ sent: save.sent, base });
      if (store.getState().save.at === "rest") saving(begin);
    }
    const { save, base } = store.getState();

    return save.at === "rest" && isSaved(store.getState()) ? base.revision : null;
  };

  const run = (step: (draft: Draft) => Draft): Promise<number | null> => {
    if (store.getState().readOnly !== null) return Promise.resolve(store.getState().base.revision);
    if (running) return running;
    saving(step);
    running = rounds().finally(() => {
      running = null;
    });

    return running;
  };

  const saveNow = () => run(begin);

  const start = () => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    const stop = () => {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    };
    const unsubscribe = store.subscribe((state, before) => {
      const isEdit = state.history.document !== before.history.document;
      // Edits don't delay the retry.
      if (state.save === before.save && !(isEdit && state.save.at === "rest")) return;
      stop();
      const delayMs = delayMsOf(state);
      if (delayMs !== null) timer = setTimeout(() => void saveNow(), delayMs);
    });
    const offline = onOnline(() => {
      if (store.getState().save.at === "waiting") void saveNow();
    });

    return () => {
      unsubscribe();
      offline();
      stop();

      // Leaving within the pause loses nothing.
      return saveNow();
    };
  };

  return { saveNow, saveEmpty: () => run(allowEmpty), start };
};

/** For canvases that save nothing. */
export const NO_SAVER: Saver = {
  saveNow: () => Promise.resolve(null),
  saveEmpty: () => Promise.resolve(null),
  start: () => () => Promise.resolve(null),
};
