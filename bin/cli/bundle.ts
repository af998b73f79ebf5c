/** The command's program as one bundle, made again when the sources changed. */
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { bundlePrograms } from "../bundle.ts";
import { digestOfSources } from "../start/stale.ts";

/** Others may be running the one before. */
const kept = 3;

/** The oldest bundles go, because a bundle's owner is unknown. */
const removeOld = (folder: string): void => {
  const all = fs.readdirSync(folder).map((name) => ({ name, ms: fs.statSync(path.join(folder, name)).mtimeMs }));

  for (const { name } of all.toSorted((a, b) => b.ms - a.ms).slice(kept))
    fs.rmSync(path.join(folder, name), { recursive: true, force: true });
};

/** @returns the address of the program. It lies under node_modules, where it finds the packages. */
export const cliProgram = async (root: string): Promise<string> => {
  const folder = path.join(root, "node_modules", ".cache", "countersign-cli");
  const outdir = path.join(folder, digestOfSources(root).slice(0, 16));
  const address = pathToFileURL(path.join(outdir, "main.mjs")).href;

  if (fs.existsSync(outdir)) return address;
  const draft = `${outdir}.${process.pid}`;

  // A command that needs no database does not load one.
  await bundlePrograms({ root, outdir: draft, entries: { main: "./server/cli/main.ts" } }, { splitting: true });
  try {
    fs.renameSync(draft, outdir);
  } catch (error) {
    // Another call of the command was faster, with the same result.
    fs.rmSync(draft, { recursive: true, force: true });
    if (!fs.existsSync(outdir)) throw error;
  }
  removeOld(folder);

  return address;
};
