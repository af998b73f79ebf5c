import { createProcedure } from "@/server/trpc/init";
import { buildOfflineVerifier } from "@/server/web/offline-verifier";

/** Returns null when not built. */
export const ledgerVerifier = createProcedure("run.read").query(async () => {
  const file = await buildOfflineVerifier();

  return file && { digest: file.digest, bytes: file.html.length };
});
