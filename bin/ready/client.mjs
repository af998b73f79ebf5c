/** The client is not in git, so a pull can leave it behind. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** @param {string} file */
const changedAtMs = (file) => fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/**
 * Returns whether the client is no older than its schema.
 * @param {string} root
 */
export const isGenerated = (root) =>
  changedAtMs(path.join(root, "server", "db", "generated", "client.ts")) > changedAtMs(path.join(root, "prisma", "schema.prisma"));

/**
 * Makes the client. Returns null, or the fault.
 * @param {string} root
 * @returns {string | null}
 */
export const generate = (root) => {
  const script = fileURLToPath(new URL("../generate.mjs", import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [script], { cwd: root, encoding: "utf8" });

  return status === 0 && isGenerated(root) ? null : `Generating the database client failed: ${stderr.trim()}`;
};
