/** Reads and verifies off the main thread. */
import type { BundleRequest, BundleResponse } from "./bundle-messages";
import { readBundle } from "./read-bundle";

/** A message per record would cost more than the verification. */
const PROGRESS_EVERY = 25;

const answer = (response: BundleResponse): void => globalThis.postMessage(response);

globalThis.addEventListener("message", ({ data }: MessageEvent<BundleRequest>) => {
  readBundle(data.file, data.keys, (progress) => {
    if (progress.step === "reading" || progress.checked % PROGRESS_EVERY === 0) answer({ type: "progress", progress });
  })
    .then((result) => answer({ type: "result", result }))
    .catch(() => answer({ type: "failed" }));
});
