/** Replaceable key files, each in its own folder: sandbox rules cover existing files or whole folders. */
import { randomBytes } from "node:crypto";
import { linkSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";

/** Folders below `keys`. */
export const SETTLED = { "trust-anchor.json": "public", "vault.key": "vault" } as const;

/** Moves a file, leaving a link. Idempotent. */
export const settleFile = (keys: string, name: keyof typeof SETTLED): void => {
  const file = path.join(/* turbopackIgnore: true */ keys, name);
  const settled = path.join(/* turbopackIgnore: true */ keys, SETTLED[name], name);
  if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return;

  mkdirSync(path.dirname(settled), { recursive: true, mode: 0o700 });
  rmSync(settled, { force: true });
  // The name always has a complete file.
  linkSync(file, settled);
  const link = `${file}.${randomBytes(4).toString("hex")}`;
  symlinkSync(path.join(/* turbopackIgnore: true */ SETTLED[name], name), link);
  renameSync(link, file);
};
