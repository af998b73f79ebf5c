/** Bundles a harness, because plain Node does not know our `@/` addresses, and runs it. */
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build, stop } from "esbuild";

const root = path.join(import.meta.dirname, "..");

/** @param name of the folder in bench whose `main.ts` is run */
export const runBundled = async (name: string): Promise<void> => {
  // Under node_modules, where the bundle finds the packages.
  const folder = path.join(root, "node_modules", ".cache", `countersign-${name}-${process.pid}`);
  const outfile = path.join(folder, "main.mjs");

  await build({
    absWorkingDir: root,
    entryPoints: [`./bench/${name}/main.ts`],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node22",
    packages: "external",
    logLevel: "silent",
  });
  await stop();

  try {
    await import(pathToFileURL(outfile).href);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
};
