import { readFileSync, statSync } from "node:fs";
import path from "node:path";

/** The text of a key file. @throws when others can read it: a key that others can read proves and hides nothing. */
export const readPrivateFile = (file: string): string => {
  if ((statSync(file).mode & 0o077) !== 0) throw new Error(`${path.basename(file)} is readable by other users; set its mode to 0600`);

  return readFileSync(file, "utf8");
};
