import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { bundlePrograms, type BundleOptions, type Programs } from "./bundle.ts";
import { fingerprintSources } from "./start/stale.ts";

/** Other processes may run older bundles. */
const kept = 3;

const removeOld = (folder: string): void => {
  const all = fs.readdirSync(folder).map((name) => ({ name, ms: fs.statSync(path.join(folder, name)).mtimeMs }));

  for (const { name } of all.toSorted((a, b) => b.ms - a.ms).slice(kept))
    fs.rmSync(path.join(folder, name), { recursive: true, force: true });
};

type Shared = Pick<Programs, "root" | "entries"> & {
  /** In `node_modules/.cache`, to resolve packages. */
  readonly cache: string;
  /** Bundled besides the product's. */
  readonly folders?: readonly string[];
  readonly options?: BundleOptions;
};

/** Bundles once per state of the sources. @returns the folder */
export const bundleOnce = async ({ root, entries, cache, folders = [], options = {} }: Shared): Promise<string> => {
  const cached = path.join(root, "node_modules", ".cache", cache);
  const state = path.join(cached, fingerprintSources(root, folders).slice(0, 16));
  const name = createHash("sha256").update(JSON.stringify(entries)).digest("hex").slice(0, 16);
  const outdir = path.join(state, name);

  if (fs.existsSync(outdir)) return outdir;
  const draft = `${outdir}.${process.pid}`;

  await bundlePrograms({ root, outdir: draft, entries }, options);
  try {
    fs.renameSync(draft, outdir);
  } catch (error) {
    // A concurrent call may have built the same bundle.
    fs.rmSync(draft, { recursive: true, force: true });
    if (!fs.existsSync(outdir)) throw error;
  }
  removeOld(cached);

  return outdir;
};
