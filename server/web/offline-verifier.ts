import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { readEnv } from "@/server/env";

export type OfflineVerifier = { readonly html: Buffer; /** SHA-256, hex. */ readonly digest: string };

/** Returns null when not built. */
export const buildOfflineVerifier = async (): Promise<OfflineVerifier | null> => {
  const html = await readFile(
    path.join(/* turbopackIgnore: true */ readEnv().COUNTERSIGN_HOME, "build", "countersign-verifier.html"),
  ).catch(() => null);

  return html && { html, digest: createHash("sha256").update(html).digest("hex") };
};
