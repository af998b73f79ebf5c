/** Analyst transports. */
import { createAnalyst, type AnalystAnswer, type AnalystRequest } from "@/lib/graph/analyst";

export type AnalystPort = { readonly post: (request: AnalystRequest) => void; readonly close: () => void };

/** @param onFailure the analyst stopped answering */
export type OpenPort = (onAnswer: (answer: AnalystAnswer) => void, onFailure: () => void) => AnalystPort;

export const openWorker: OpenPort = (onAnswer, onFailure) => {
  const worker = new Worker(new URL("./analyst-worker.ts", import.meta.url), { type: "module", name: "analyst" });
  worker.addEventListener("message", ({ data }: MessageEvent<AnalystAnswer>) => onAnswer(data));
  worker.addEventListener("messageerror", onFailure);
  worker.addEventListener("error", onFailure);

  return {
    post: (request) => worker.postMessage(request),
    close: () => worker.terminate(),
  };
};

/** Runs on the page, after pending work. */
export const openHere: OpenPort = (onAnswer) => {
  const analyst = createAnalyst();
  let timer: ReturnType<typeof setTimeout> | null = null;

  return {
    post: (request) => {
      timer = setTimeout(() => onAnswer(analyst(request)));
    },
    close: () => {
      if (timer !== null) clearTimeout(timer);
    },
  };
};
