import type { BundleRequest, BundleResponse } from "./bundle-messages";
import type { BundleProgress, BundleResult } from "./read-bundle";

/** @throws Error when the worker fails; rejects when `signal` is aborted */
export const readInWorker = (
  request: BundleRequest,
  onProgress: (progress: BundleProgress) => void,
  signal?: AbortSignal,
): Promise<BundleResult> => {
  const worker = new Worker(new URL("./bundle-worker.ts", import.meta.url), { type: "module" });

  return new Promise<BundleResult>((resolve, reject) => {
    worker.addEventListener("message", ({ data }: MessageEvent<BundleResponse>) => {
      if (data.type === "progress") onProgress(data.progress);
      else if (data.type === "result") resolve(data.result);
      else reject(new Error("the reader failed"));
    });
    worker.addEventListener("error", () => reject(new Error("the reader could not be started")));
    signal?.addEventListener("abort", () => reject(new Error("aborted")), { once: true });
    worker.postMessage(request);
  }).finally(() => worker.terminate());
};
