import { procedure } from "@/server/trpc/init";
import { offlineVerifier } from "@/server/web/offline-verifier";

/** The offline verifier as it can be downloaded here: its digest and size; null when it was not built. */
export const ledgerVerifier = procedure("run.read").query(async () => {
  const file = await offlineVerifier();

  return file && { digest: file.digest, bytes: file.html.length };
});
