/**
 * Files of `keys` that a restricted process reads again when they are replaced. A rule of its sandbox is for a file as it is now, or
 * for a folder with what comes later: each such file is alone in a folder, and where it is documented to be there is a link.
 */
import { randomBytes } from "node:crypto";
import { linkSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";

/** Name of the file -> its folder below `keys`. */
export const SETTLED = { "trust-anchor.json": "public", "vault.key": "vault" } as const;

/** Moves a file into its folder and leaves a link. Does nothing where there is a link, or no file. */
export const settleFile = (keys: string, name: keyof typeof SETTLED): void => {
  const file = path.join(keys, name);
  const settled = path.join(keys, SETTLED[name], name);
  if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return;

  mkdirSync(path.dirname(settled), { recursive: true, mode: 0o700 });
  rmSync(settled, { force: true });
  // There is a whole file under the name at every moment, whenever this is stopped.
  linkSync(file, settled);
  const link = `${file}.${randomBytes(4).toString("hex")}`;
  symlinkSync(path.join(SETTLED[name], name), link);
  renameSync(link, file);
};
