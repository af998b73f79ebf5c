import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { findChromium } from "./chromium.ts";
import { runStages } from "./run-steps.ts";
import { checkStages, testStages } from "./steps.ts";
import { writeErr, writeOut } from "../terminal.mjs";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-npm-test-"));

// As root, Postgres runs as another user who must traverse the state folder.
fs.chmodSync(folder, 0o711);

const isCheck = process.argv.includes("--check");

try {
  const stages = isCheck ? checkStages(folder) : testStages(folder, findChromium());

  process.exitCode = (await runStages(stages, (line) => writeOut(`${line}\n`))) ? 0 : 1;
} catch (error) {
  writeErr(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
