import fs from "node:fs";
import path from "node:path";
import { z } from "zod";

const linksSchema = z.array(z.object({ source: z.string(), target: z.string() }));

/** Makes library links, for an npm that runs no install scripts. */
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
