/** The offline verifier: one HTML file built before the web application, served unchanged. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { readEnv } from "@/server/env";

export type OfflineVerifier = { readonly html: Buffer; /** SHA-256 of the file, hex. */ readonly digest: string };

/** @returns null when not built */
export const buildOfflineVerifier = async (): Promise<OfflineVerifier | null> => {
  const html = await readFile(
    path.join(/* turbopackIgnore: true */ readEnv().COUNTERSIGN_HOME, "build", "countersign-verifier.html"),
  ).catch(() => null);

  return html && { html, digest: createHash("sha256").update(html).digest("hex") };
};
