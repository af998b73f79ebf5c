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

/** Returns a package's folder as Node resolves it: npm installs our packages beside us. */
export const findPackage = (root: string, name: string): string | null => {
  const found = resolveRealPath(path.join(root, "node_modules", name));
  const above = path.dirname(root);

  return found ?? (above === root ? null : findPackage(above, name));
};

const entriesOf = (folder: string): string[] => {
  try {
    return fs.readdirSync(folder).map((name) => path.join(folder, name));
  } catch {
    return [];
  }
};

/** Expands a folder without some paths: Landlock has no deny rules. */
export const listAllExcept = (folder: string, denied: readonly string[]): readonly string[] => {
  if (denied.some((each) => isWithin(folder, each))) return [];
  if (!denied.some((each) => isWithin(each, folder))) return [folder];

  return entriesOf(folder).flatMap((entry) => listAllExcept(entry, denied));
};
