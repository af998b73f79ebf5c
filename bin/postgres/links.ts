/** The links between Postgres' libraries, which an npm package cannot carry and an install script makes afterwards. */
import fs from "node:fs";
import path from "node:path";
import { z } from "zod";

const linksSchema = z.array(z.object({ source: z.string(), target: z.string() }));

/** Makes the links that are missing, because an npm that runs no install scripts leaves all of them out. */
export const ensureLinks = (native: string): void => {
  const list = path.join(native, "pg-symlinks.json");

  if (!fs.existsSync(list)) return;
  const packageRoot = path.dirname(native);

  for (const { source, target } of linksSchema.parse(JSON.parse(fs.readFileSync(list, "utf8")))) {
    const link = path.resolve(packageRoot, target);

    if (fs.lstatSync(link, { throwIfNoEntry: false }) !== undefined) continue;
    fs.symlinkSync(path.relative(path.dirname(link), path.resolve(packageRoot, source)), link);
  }
};
