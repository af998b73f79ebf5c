/** Verifier and signature workers; one request at a time. */
import type { LedgerRequest, LedgerResponse } from "./messages";

type Asked = { readonly resolve: (response: LedgerResponse) => void; readonly reject: (error: Error) => void };

export type LedgerWorker = {
  /** @param onProgress checked and total records @throws Error with a display message on failure or close */
  readonly ask: (request: LedgerRequest, onProgress?: (checked: number, total: number) => void) => Promise<LedgerResponse>;
  /** Stops the worker for good. */
  readonly close: () => void;
};

export const openLedgerWorker = (): LedgerWorker => {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  const signatures = new Worker(new URL("./signature-worker.ts", import.meta.url), { type: "module" });
  const { port1, port2 } = new MessageChannel();
  worker.postMessage(null, [port1]);
  signatures.postMessage(null, [port2]);
  let asked: Asked | null = null;
  let progress: (checked: number, total: number) => void = () => undefined;
  const end = (settle: (one: Asked) => void) => {
    const one = asked;
    asked = null;
    if (one) settle(one);
  };
  worker.addEventListener("message", ({ data }: MessageEvent<LedgerResponse>) => {
    if (data.type === "progress") progress(data.checked, data.total);
    else if (data.type === "failed") end(({ reject }) => reject(new Error(data.message)));
    else end(({ resolve }) => resolve(data));
  });
  for (const each of [worker, signatures])
    each.addEventListener("error", () =>
      end(({ reject }) => reject(new Error("Verification failed to run in this browser. Reload the page and try again."))),
    );

  return {
    ask: (request, onProgress) =>
      new Promise((resolve, reject) => {
        if (asked) return reject(new Error("The verifier is busy."));
        asked = { resolve, reject };
        progress = onProgress ?? (() => undefined);
        worker.postMessage(request);
      }),
    close: () => {
      worker.terminate();
      signatures.terminate();
      end(({ reject }) => reject(new Error("stopped")));
    },
  };
};
