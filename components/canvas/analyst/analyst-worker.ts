/** Looks at documents away from the page's own thread, so that typing and dragging stay smooth in a large graph. */
import { createAnalyst, type AnalystRequest } from "@/lib/graph/analyst";

const analyst = createAnalyst();

globalThis.addEventListener("message", ({ data }: MessageEvent<AnalystRequest>) => {
  globalThis.postMessage(analyst(data));
});
