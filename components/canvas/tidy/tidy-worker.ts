/** Computes a layout in a worker. */
import { layoutOf } from "@/lib/graph/layout";
import type { TidyRequest, TidyResponse } from "./messages";

const answer = (response: TidyResponse): void => globalThis.postMessage(response);

globalThis.addEventListener("message", ({ data }: MessageEvent<TidyRequest>) => {
  try {
    answer({ type: "result", places: layoutOf(data) });
  } catch {
    answer({ type: "failed" });
  }
});
