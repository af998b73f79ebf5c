/** Verifies ledgers off the main thread. */
import { verifyDigests } from "@/lib/engine/ledger/signature";
import { createLedgerHandler } from "./handler";
import type { LedgerRequest, LedgerResponse } from "./messages";
import { createRemoteSignatures } from "./remote-signatures";

const answer = (response: LedgerResponse): void => globalThis.postMessage(response);

const fetchText = async (url: string): Promise<string> => {
  const response = await fetch(url);
  if (!response.ok)
    throw new Error(response.status === 401 ? "You are signed out. Sign in again." : "The server did not return the records. Try again.");

  return response.text();
};

/** Until the signature worker connects. */
let verifyMany = verifyDigests;

const handle = createLedgerHandler({ fetchText, answer, verifyMany: (signed) => verifyMany(signed) });

globalThis.addEventListener("message", ({ data, ports: [port] }: MessageEvent<LedgerRequest | null>) => {
  if (port) verifyMany = createRemoteSignatures(port);
  else if (data) void handle(data);
});
