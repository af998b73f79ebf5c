/** Recomputes ledgers away from the page's own thread, so that the page stays usable. */
import { ledgerHandler } from "./handler";
import type { LedgerRequest, LedgerResponse } from "./messages";

// To the page that made this worker; there is no origin to choose.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
const answer = (response: LedgerResponse): void => globalThis.postMessage(response);

const fetchText = async (url: string): Promise<string> => {
  const response = await fetch(url);
  if (!response.ok)
    throw new Error(response.status === 401 ? "You are signed out: sign in again." : "The server did not give the records.");

  return response.text();
};

const handle = ledgerHandler({ fetchText, answer });

globalThis.addEventListener("message", ({ data }: MessageEvent<LedgerRequest>) => void handle(data));
