import { randomBytes } from "node:crypto";
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

/** Reads a key file. @throws when others can read it */
export const readPrivateFile = (file: string): string => {
  if ((statSync(file).mode & 0o077) !== 0) throw new Error(`${path.basename(file)} is readable by other users; set its mode to 0600`);

  return readFileSync(file, "utf8");
};

/** Otherwise a power cut can undo a rename. */
const syncFolder = (folder: string): void => {
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};

/** Replaces a file atomically, keeping its owner. */
export const replaceFile = (given: string, text: string, mode: number): void => {
  // Keep links of shared files.
  const file = existsSync(given) ? realpathSync(/* turbopackIgnore: true */ given) : given;
  const draft = `${file}.${randomBytes(4).toString("hex")}`;
  const before = statSync(file, { throwIfNoEntry: false });
  writeFileSync(draft, text, { mode, flush: true });
  if (before && before.uid !== statSync(/* turbopackIgnore: true */ draft).uid) chownSync(draft, before.uid, before.gid);
  renameSync(draft, file);
  syncFolder(path.dirname(file));
};

/** Replaces an owner-readable file. */
export const writePrivateFile = (file: string, text: string): void => replaceFile(file, text, 0o600);
