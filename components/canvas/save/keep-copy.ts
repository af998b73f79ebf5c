/** Keeps a local copy until saved. */
import { isDraftSaved, type CanvasStore } from "@/components/canvas/state/canvas-store";
import { notify } from "@/components/ui/toast";
import { holdCopy, keepCopy, removeCopy } from "./crash-copies";

const PAUSE_MS = 300;

const newId = (): string => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** @returns a stop function; an unsaved copy stays */
export const startKeeping = (store: CanvasStore, owner: string): (() => void) => {
  const id = newId();
  const release = holdCopy(id);
  let timer: ReturnType<typeof setTimeout> | null = null;
  let kept: unknown = null;
  let hasFailed = false;
  // In order, so that the newest copy stays.
  let work: Promise<void> = Promise.resolve();
  const enqueue = (step: () => Promise<void>) => {
    work = work.then(step).catch(() => {
      if (!hasFailed) notify({ title: "This browser can't keep a copy of your unsaved changes.", tone: "error" });
      hasFailed = true;
    });
  };
  const stopTimer = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };
  const keepNow = () => {
    stopTimer();
    const state = store.getState();
    const { graphId, base, history } = state;
    if (isDraftSaved(state) || kept === history.document) return;
    kept = history.document;
    enqueue(() => keepCopy({ id, owner, graphId, atMs: Date.now(), base, document: history.document }));
  };
  const unsubscribe = store.subscribe((state, before) => {
    if (state.history.document === before.history.document && state.save === before.save && state.base === before.base) return;
    if (!isDraftSaved(state)) {
      timer ??= setTimeout(keepNow, PAUSE_MS);

      return;
    }
    stopTimer();
    if (kept !== null) enqueue(() => removeCopy(id));
    kept = null;
  });
  window.addEventListener("pagehide", keepNow);
  document.addEventListener("visibilitychange", keepNow);

  return () => {
    keepNow();
    unsubscribe();
    window.removeEventListener("pagehide", keepNow);
    document.removeEventListener("visibilitychange", keepNow);
    void work.finally(release);
  };
};
