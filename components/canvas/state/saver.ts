/** Carries out what `saving` decides: sends, waits, tries again. One save at a time, after a pause in editing or at once. */
import type { Graph } from "@/lib/graph/document";
import type { CanvasStore } from "./canvas-store";
import { allowEmpty, awaitAnswer, begin, delayMsOf, failed, isSaved, type Draft, type SaveAnswer } from "./saving";

export type SaveRequest = {
  readonly id: string;
  readonly revision: number;
  /** The hash of the content that it is a change of. */
  readonly base?: string;
  readonly document: Graph;
  readonly allow_empty: boolean;
};

export type SaverPorts = {
  readonly send: (request: SaveRequest) => Promise<SaveAnswer>;
  /** What went wrong, in one sentence, and whether trying the same again cannot help. */
  readonly describe: (error: unknown) => { readonly why: string; readonly isLasting: boolean };
  /** Calls when the connection may be back. @returns what ends that */
  readonly onOnline: (listener: () => void) => () => void;
};

export type Saver = {
  /** Saves what is there now. @returns the revision that holds it, or null when it could not be saved */
  readonly saveNow: () => Promise<number | null>;
  /** Saves a graph without nodes over one with nodes, because a person said so. */
  readonly saveEmpty: () => Promise<number | null>;
  /** Saves by itself from now on. @returns what ends that, saving once more */
  readonly start: () => () => Promise<number | null>;
};

/** Somebody else who saves all the time is not chased for ever: the next edit or pause goes on. */
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
        allow_empty: sent.allowEmpty,
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
      // An edit while a failed save waits does not put the next try off.
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

      // Leaving the page within the pause loses nothing.
      return saveNow();
    };
  };

  return { saveNow, saveEmpty: () => run(allowEmpty), start };
};

/** For a canvas of something that is not saved from here. */
export const NO_SAVER: Saver = {
  saveNow: () => Promise.resolve(null),
  saveEmpty: () => Promise.resolve(null),
  start: () => () => Promise.resolve(null),
};
