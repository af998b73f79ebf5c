/** Paths of allow lists. */
import fs from "node:fs";
import path from "node:path";

/** Whether `inner` is `outer` or lies below it. */
export const isWithin = (inner: string, outer: string): boolean =>
  inner === outer || inner.startsWith(outer.endsWith(path.sep) ? outer : `${outer}${path.sep}`);

/** The real path, or null when there is nothing. */
export const realPathOf = (file: string): string | null => {
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

/**
 * What an allow list names to allow a folder without some paths in it, as it is now: Landlock has no rule that denies.
 * @param denied real paths
 */
export const allExcept = (folder: string, denied: readonly string[]): readonly string[] => {
  if (denied.some((each) => isWithin(folder, each))) return [];
  if (!denied.some((each) => isWithin(each, folder))) return [folder];

  return entriesOf(folder).flatMap((entry) => allExcept(entry, denied));
};
