/** Bundles a harness, since Node does not resolve `@/`. */
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin } from "esbuild";
import { bundlePrograms } from "../bin/bundle.ts";

const root = path.join(import.meta.dirname, "..");

/** It finds migrations beside its own file. */
export const inPlace = (checkout: string): Plugin => ({
  name: "in-place",
  setup: (plugin) => {
    plugin.onResolve({ filter: /^@\/prisma\/migrate$/ }, () => ({
      path: pathToFileURL(path.join(checkout, "prisma", "migrate.ts")).href,
      external: true,
    }));
  },
});

/** @param name folder in bench @param entry another file */
export const runBundled = async (name: string, entry = `./bench/${name}/main.ts`): Promise<void> => {
  // There the bundle finds packages.
  const folder = path.join(root, "node_modules", ".cache", `countersign-${name}-${process.pid}`);

  await bundlePrograms(
    { root, outdir: folder, entries: { main: entry } },
    { splitting: true, packages: "external", plugins: [inPlace(root)] },
  );

  try {
    await import(pathToFileURL(path.join(folder, "main.mjs")).href);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
};
