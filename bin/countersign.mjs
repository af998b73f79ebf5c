#!/usr/bin/env node
/** For any Node. Stdout is for machines, so nothing is installed. */
import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { isGood } from "./ready/node-version.mjs";
import { writeErr } from "./terminal.mjs";

const sources = new URL("./cli/main.ts", import.meta.url);

/** @param {string} sentence */
const giveUp = (sentence) => {
  writeErr(`countersign: ${sentence}\n`);
  process.exit(1);
};

// The npm package has the built command only.
if (fs.existsSync(sources)) {
  const { isInstalled } = await import("./ready/install.mjs");

  if (!isInstalled(fileURLToPath(new URL("../", import.meta.url)))) giveUp("packages are not installed. Run `npm install` first.");
  await (await import("./ready/run.mjs")).runOnGoodNode(sources);
} else {
  if (!isGood(process.versions.node))
    giveUp(`Node ${process.versions.node} is too old: install Node 22.19 or newer from https://nodejs.org.`);
  await import(new URL("../dist/cli/main.mjs", import.meta.url).href);
}
