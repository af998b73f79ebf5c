import { randomBytes } from "node:crypto";
import { chownSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

/** The text of a key file. @throws when others can read it: a key that others can read proves and hides nothing. */
export const readPrivateFile = (file: string): string => {
  if ((statSync(file).mode & 0o077) !== 0) throw new Error(`${path.basename(file)} is readable by other users; set its mode to 0600`);

  return readFileSync(file, "utf8");
};

/** Writes all of it or nothing, for its owner alone: whoever had the file before has it still. */
export const writePrivateFile = (file: string, text: string): void => {
  const draft = `${file}.${randomBytes(4).toString("hex")}`;
  const before = statSync(file, { throwIfNoEntry: false });
  writeFileSync(draft, text, { mode: 0o600, flush: true });
  if (before && before.uid !== statSync(draft).uid) chownSync(draft, before.uid, before.gid);
  renameSync(draft, file);
};
