/**
 * One process of ours in the foreground: its words are ours, signals reach it, and we end as it ends. Starting it again is
 * the affair of whoever started us: systemd, a container engine.
 */
import { spawn } from "node:child_process";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "./settings.ts";

const leash = pathToFileURL(path.join(import.meta.dirname, "leash.mjs")).href;

/** npm passes Ctrl-C on although the terminal told us already; a runner that is told twice stops at once. */
const sameSignalMs = 1_000;

/** @param args of Node */
export const runInForeground = (args: readonly string[], env: NodeJS.ProcessEnv): void => {
  const child = spawn(process.execPath, ["--import", leash, ...args], {
    cwd: ROOT,
    env,
    // A group of its own, so that Ctrl-C reaches it through us alone; the pipe tells it when we are gone.
    detached: true,
    stdio: ["pipe", "inherit", "inherit"],
  });
  let toldMs = 0;
  const stop = (): void => {
    if (Date.now() - toldMs < sameSignalMs) return;
    toldMs = Date.now();
    child.kill("SIGTERM");
  };

  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
  // Set when an older Node started us: it holds the other end, and must not leave us behind.
  process.once("disconnect", stop);
  child.once("error", (error) => {
    process.stderr.write(`Countersign cannot start: ${error.message}\n`);
    process.exit(1);
  });
  child.once("exit", (code, signal) => process.exit(code ?? 128 + (signal === null ? 0 : os.constants.signals[signal])));
};
