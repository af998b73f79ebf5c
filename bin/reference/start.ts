/** `npm run reference` writes pages; `--check` lists stale ones. */
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { bundlePrograms } from "../bundle.ts";
import { ROOT } from "../start/settings.ts";
import { writeErr, writeOut } from "../terminal.mjs";
import type { buildPages as BuildPages } from "./pages.ts";

// There the bundle finds packages.
const folder = path.join(ROOT, "node_modules", ".cache", `countersign-reference-${process.pid}`);
const target = path.join(ROOT, "docs", "reference");

const readPage = (name: string): string | null => {
  const file = path.join(target, name);

  return fs.existsSync(file) ? fs.readFileSync(file, "utf8") : null;
};

try {
  await bundlePrograms({ root: ROOT, outdir: folder, entries: { pages: "./bin/reference/pages.ts" } }, { splitting: true });
  const { buildPages } = (await import(pathToFileURL(path.join(folder, "pages.mjs")).href)) as { readonly buildPages: typeof BuildPages };
  const pages = await buildPages(ROOT);
  const stale = [...pages].filter(([name, text]) => readPage(name) !== text);

  if (!process.argv.includes("--check")) {
    fs.mkdirSync(target, { recursive: true });
    for (const [name, text] of stale) fs.writeFileSync(path.join(target, name), text);
    writeOut(`docs/reference: ${pages.size} files, ${stale.length} changed.\n`);
  } else if (stale.length > 0) {
    writeErr(`Stale in docs/reference: ${stale.map(([name]) => name).join(", ")}. Run npm run reference.\n`);
    process.exitCode = 1;
  }
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
