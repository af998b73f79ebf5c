/** `npm run reference` writes pages; `--check` lists stale ones. */
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { bundlePrograms } from "../bundle.ts";
import { ROOT } from "../start/settings.ts";
import { writeErr, writeOut } from "../terminal.mjs";
import type { buildFiles as BuildFiles } from "./pages.ts";

// There the bundle finds packages.
const folder = path.join(ROOT, "node_modules", ".cache", `countersign-reference-${process.pid}`);

const readPage = (name: string): string | null => {
  const file = path.join(ROOT, name);

  return fs.existsSync(file) ? fs.readFileSync(file, "utf8") : null;
};

try {
  await bundlePrograms(
    { root: ROOT, outdir: folder, entries: { pages: "./bin/reference/pages.ts" } },
    { splitting: true, packages: "external" },
  );
  const { buildFiles } = (await import(pathToFileURL(path.join(folder, "pages.mjs")).href)) as { readonly buildFiles: typeof BuildFiles };
  const pages = await buildFiles(ROOT);
  const stale = [...pages].filter(([name, text]) => readPage(name) !== text);

  if (!process.argv.includes("--check")) {
    for (const [name, text] of stale) fs.writeFileSync(path.join(ROOT, name), text);
    writeOut(`${pages.size} files, ${stale.length} changed.\n`);
  } else if (stale.length > 0) {
    writeErr(`Stale: ${stale.map(([name]) => name).join(", ")}. Run npm run reference.\n`);
    process.exitCode = 1;
  }
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
