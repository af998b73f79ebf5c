#!/usr/bin/env node
/** For any Node. Stdout is for machines, so nothing is installed. */
const { isInstalled } = await import("./ready/install.mjs");
const { fileURLToPath } = await import("node:url");
const { writeErr } = await import("./terminal.mjs");

if (!isInstalled(fileURLToPath(new URL("../", import.meta.url)))) {
  writeErr("countersign: packages are not installed. Run `npm install` first.\n");
  process.exit(1);
}

const { runOnGoodNode } = await import("./ready/run.mjs");

await runOnGoodNode(new URL("./cli/main.ts", import.meta.url));
