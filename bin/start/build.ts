/** Builds when sources changed. */
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { bundlePrograms } from "../bundle.ts";
import { pickEnv } from "./environment.ts";
import { StartFailure, wordsOf } from "./failure.ts";
import { verifierHtml } from "../verifier/build.ts";
import { digestOfSources, isFresh } from "./stale.ts";

export const PROGRAMS = {
  runner: "./server/runner/main.ts",
  worker: "./server/worker/main.ts",
  "tool-host": "./server/tool-host/main.ts",
  containers: "./server/mcp/containers/main.ts",
  "container-relay": "./server/mcp/containers/relay.ts",
  customers: "./server/mcp/customers/main.ts",
  expenses: "./server/mcp/expenses/main.ts",
  library: "./server/mcp/library/main.ts",
  "rug-pull": "./server/mcp/rug-pull/main.ts",
  shop: "./server/mcp/shop/main.ts",
};

const { runner, ...startedOften } = PROGRAMS;

/** A build takes no settings of the installation. */
const ofBuild = /^(?:NODE|NEXT)_\w+$/u;

/** The error follows any warnings. */
const linesShown = 12;

const runNextBuild = (root: string, logFile: string, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const next = path.join(root, "node_modules", "next", "dist", "bin", "next");
    const child = spawn(process.execPath, [next, "build"], {
      cwd: root,
      env: { ...pickEnv(ofBuild), NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
      stdio: ["ignore", "pipe", "pipe"],
      signal,
    });
    let words = "";

    child.stdout.on("data", (chunk: Buffer) => (words += chunk.toString("utf8")));
    child.stderr.on("data", (chunk: Buffer) => (words += chunk.toString("utf8")));
    child.once("error", reject);
    child.once("close", (code) => {
      fs.writeFileSync(logFile, words, { mode: 0o600 });
      if (code === 0) return resolve();
      const last = words.trim().split("\n").slice(-linesShown).join("\n");

      reject(new StartFailure(`Building the web application failed (full log: ${logFile}):\n${last}`));
    });
  });

/** @returns whether it built */
export const buildWeb = async (root: string, home: string, signal: AbortSignal): Promise<boolean> => {
  const digest = digestOfSources(root);
  // `next build` removes .next, so its build is never taken for ours.
  const stamp = path.join(root, ".next", "countersign-sources");

  if (isFresh(stamp, digest) && fs.existsSync(path.join(root, ".next", "BUILD_ID"))) return false;
  fs.rmSync(stamp, { force: true });
  await runNextBuild(root, path.join(home, "log", "build.log"), signal);
  fs.writeFileSync(stamp, digest);

  return true;
};

/** Bundles find native packages through a link. */
export const bundleServers = async (root: string, home: string): Promise<boolean> => {
  const outdir = path.join(home, "build");
  const digest = digestOfSources(root);
  const stamp = path.join(outdir, "sources");
  const link = path.join(outdir, "node_modules");

  if (isFresh(stamp, digest) && fs.existsSync(link)) return false;
  fs.rmSync(stamp, { force: true });
  fs.rmSync(link, { force: true });
  fs.symlinkSync(path.join(root, "node_modules"), link, "junction");
  fs.writeFileSync(path.join(outdir, "countersign-verifier.html"), await verifierHtml(root));
  try {
    // It starts once; packages inside would take memory.
    await bundlePrograms({ root, outdir, entries: { runner } }, { packages: "external" });
    await bundlePrograms({ root, outdir, entries: startedOften });
  } catch (error) {
    throw new StartFailure(`Building the runner failed: ${wordsOf(error)}`, error);
  }
  fs.writeFileSync(stamp, digest);

  return true;
};
