import fs from "node:fs";
import path from "node:path";

export const isWithin = (inner: string, outer: string): boolean =>
  inner === outer || inner.startsWith(outer.endsWith(path.sep) ? outer : `${outer}${path.sep}`);

export const resolveRealPath = (file: string): string | null => {
  try {
    return fs.realpathSync(file);
  } catch {
    return null;
  }
};

const entriesOf = (folder: string): string[] => {
  try {
    return fs.readdirSync(folder).map((name) => path.join(folder, name));
  } catch {
    return [];
  }
};

/** Expands a folder without some paths, because Landlock has no deny rules. */
export const listAllExcept = (folder: string, denied: readonly string[]): readonly string[] => {
  if (denied.some((each) => isWithin(folder, each))) return [];
  if (!denied.some((each) => isWithin(each, folder))) return [folder];

  return entriesOf(folder).flatMap((entry) => listAllExcept(entry, denied));
};
