import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { bundlePrograms } from "../bundle.ts";
import { fingerprintSources } from "../start/stale.ts";

/** Other processes may run older bundles. */
const kept = 3;

const removeOld = (folder: string): void => {
  const all = fs.readdirSync(folder).map((name) => ({ name, ms: fs.statSync(path.join(folder, name)).mtimeMs }));

  for (const { name } of all.toSorted((a, b) => b.ms - a.ms).slice(kept))
    fs.rmSync(path.join(folder, name), { recursive: true, force: true });
};

/** Bundles under node_modules, to resolve packages. @returns its URL */
export const cliProgram = async (root: string): Promise<string> => {
  const folder = path.join(root, "node_modules", ".cache", "countersign-cli");
  const outdir = path.join(folder, fingerprintSources(root).slice(0, 16));
  const address = pathToFileURL(path.join(outdir, "main.mjs")).href;

  if (fs.existsSync(outdir)) return address;
  const draft = `${outdir}.${process.pid}`;

  // Splitting keeps the database client out of commands without a database.
  await bundlePrograms({ root, outdir: draft, entries: { main: "./server/cli/main.ts" } }, { splitting: true });
  try {
    fs.renameSync(draft, outdir);
  } catch (error) {
    // A concurrent call may have built the same bundle.
    fs.rmSync(draft, { recursive: true, force: true });
    if (!fs.existsSync(outdir)) throw error;
  }
  removeOld(folder);

  return address;
};
