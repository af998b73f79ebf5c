import { procedure } from "@/server/trpc/init";
import { offlineVerifier } from "@/server/web/offline-verifier";

/** The downloadable offline verifier's digest and size; null when not built. */
export const ledgerVerifier = procedure("run.read").query(async () => {
  const file = await offlineVerifier();

  return file && { digest: file.digest, bytes: file.html.length };
});
