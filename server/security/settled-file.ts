/**
 * Key files that sandboxed processes reread on replacement. Sandbox rules cover existing files or whole folders, so each such file is alone
 * in a folder, with a link at its documented place.
 */
import { randomBytes } from "node:crypto";
import { linkSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";

/** File name to its folder below `keys`. */
export const SETTLED = { "trust-anchor.json": "public", "vault.key": "vault" } as const;

/** Moves a file into its folder and leaves a link; a no-op for links and missing files. */
export const settleFile = (keys: string, name: keyof typeof SETTLED): void => {
  const file = path.join(keys, name);
  const settled = path.join(keys, SETTLED[name], name);
  if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return;

  mkdirSync(path.dirname(settled), { recursive: true, mode: 0o700 });
  rmSync(settled, { force: true });
  // Interruptible: a complete file exists under the name at every moment.
  linkSync(file, settled);
  const link = `${file}.${randomBytes(4).toString("hex")}`;
  symlinkSync(path.join(SETTLED[name], name), link);
  renameSync(link, file);
};
