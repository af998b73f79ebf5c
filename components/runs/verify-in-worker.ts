/** Runs the verifier in a worker of its own. */
import type { Verification } from "@/lib/engine/verify";
import type { VerifyRequest, VerifyResponse } from "./verify-messages";

/** @throws Error when the worker cannot be started or stops; rejects when `signal` is aborted */
export const verifyInWorker = (
  request: VerifyRequest,
  onProgress: (checked: number) => void,
  signal: AbortSignal,
): Promise<Verification> => {
  const worker = new Worker(new URL("./verify-worker.ts", import.meta.url), { type: "module" });

  return new Promise<Verification>((resolve, reject) => {
    worker.addEventListener("message", ({ data }: MessageEvent<VerifyResponse>) => {
      if (data.type === "progress") onProgress(data.checked);
      else if (data.type === "result") resolve(data.result);
      else reject(new Error("the verifier failed"));
    });
    worker.addEventListener("error", () => reject(new Error("the verifier could not be started")));
    signal.addEventListener("abort", () => reject(new Error("aborted")), { once: true });
    // To a worker of our own; there is no origin to choose.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    worker.postMessage(request);
  }).finally(() => worker.terminate());
};
