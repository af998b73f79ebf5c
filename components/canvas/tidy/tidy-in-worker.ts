/** Lays out a graph in its own worker. */
import type { LayoutTask } from "@/lib/graph/layout";
import type { Places, TidyResponse } from "./messages";

/** @throws Error when the worker fails; rejects when `signal` is aborted */
export const tidyInWorker = (task: LayoutTask, signal: AbortSignal): Promise<Places> => {
  const worker = new Worker(new URL("./tidy-worker.ts", import.meta.url), { type: "module" });

  return new Promise<Places>((resolve, reject) => {
    worker.addEventListener("message", ({ data }: MessageEvent<TidyResponse>) => {
      if (data.type === "result") resolve(data.places);
      else reject(new Error("the layout failed"));
    });
    worker.addEventListener("error", () => reject(new Error("the layout could not be started")));
    signal.addEventListener("abort", () => reject(new Error("aborted")), { once: true });
    worker.postMessage(task);
  }).finally(() => worker.terminate());
};
