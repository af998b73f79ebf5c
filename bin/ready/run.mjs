/** Runs TypeScript entry points from any Node. */
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { generate, isGenerated } from "./client.mjs";
import { install, isInstalled } from "./install.mjs";
import { isGood, nodeProblem } from "./node-version.mjs";
import { writeErr } from "../terminal.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** @param {string} sentence */
const giveUp = (sentence) => {
  writeErr(`Countersign cannot start: ${sentence}\n`);
  process.exit(1);
};

/**
 * On the Node that npm installed.
 * @param {URL} entry
 */
const handOver = (entry) => {
  const node = path.join(root, "node_modules", ".bin", process.platform === "win32" ? "node.exe" : "node");

  if (!fs.existsSync(node)) {
    giveUp(`Node ${process.versions.node} is too old on this system: install Node 22.19 or newer from https://nodejs.org and try again.`);
  }
  // The channel tells the other process when this one is gone.
  const child = spawn(node, [fileURLToPath(entry), ...process.argv.slice(2)], { stdio: ["inherit", "inherit", "inherit", "ipc"] });

  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) process.on(signal, () => child.kill(signal));
  child.once("exit", (code, signal) => process.exit(code ?? (signal === null ? 1 : 130)));
};

/** @param {URL} entry TypeScript file */
export const runOnGoodNode = async (entry) => {
  const problem = nodeProblem(process.versions.node);

  if (problem !== null) return giveUp(problem);
  if (!isInstalled(root)) {
    const failure = await install(root);

    if (failure !== null) return giveUp(failure);
  }
  if (!isGenerated(root)) {
    const failure = generate(root);

    if (failure !== null) return giveUp(failure);
  }
  if (!isGood(process.versions.node)) return handOver(entry);

  await import(entry.href);
};
