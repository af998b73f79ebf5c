/** Recomputes a ledger away from the page's own thread, so that the page stays usable. */
import { verifyLedger } from "@/lib/engine/verify";
import type { VerifyRequest, VerifyResponse } from "./verify-messages";

/** A message for each record would cost more than the checking. */
const PROGRESS_EVERY = 25;

// To the page that made this worker; there is no origin to choose.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
const answer = (response: VerifyResponse): void => globalThis.postMessage(response);

globalThis.addEventListener("message", ({ data }: MessageEvent<VerifyRequest>) => {
  const onProgress = (checked: number) => {
    if (checked % PROGRESS_EVERY === 0) answer({ type: "progress", checked });
  };
  verifyLedger(data.ledger, data.keys, onProgress)
    .then((result) => answer({ type: "result", result }))
    .catch(() => answer({ type: "failed" }));
});
