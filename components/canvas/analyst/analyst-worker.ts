/** Analyses documents in a worker. */
import { createAnalyst, type AnalystRequest } from "@/lib/graph/analyst";

const analyst = createAnalyst();

globalThis.addEventListener("message", ({ data }: MessageEvent<AnalystRequest>) => {
  globalThis.postMessage(analyst(data));
});
