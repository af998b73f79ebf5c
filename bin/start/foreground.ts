/** Forwards signals and exits with its child; systemd or a container engine restarts it. */
import os from "node:os";
import type { SandboxPolicy } from "../../server/sandbox/policy.ts";
import { spawnLeashed } from "./child.ts";
import { ROOT } from "./settings.ts";
import { streamTo, writeErr, writeOut } from "../terminal.mjs";

/** npm repeats the terminal's Ctrl-C; told twice, a runner stops at once. */
const sameSignalMs = 1_000;

const lastWordsMs = 1_000;

/** @param args of Node */
export const runInForeground = (args: readonly string[], env: NodeJS.ProcessEnv, sandbox: (() => SandboxPolicy) | null): void => {
  const child = spawnLeashed({ args, cwd: ROOT, env, sandbox });

  child.stdout?.pipe(streamTo(writeOut));
  child.stderr?.pipe(streamTo(writeErr));
  let toldMs = 0;
  const stop = (): void => {
    if (Date.now() - toldMs < sameSignalMs) return;
    toldMs = Date.now();
    child.kill("SIGTERM");
  };

  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
  // An older Node holds the other end.
  process.once("disconnect", stop);
  child.once("error", (error) => {
    writeErr(`Countersign cannot start: ${error.message}\n`);
    process.exit(1);
  });
  const end = (code: number | null, signal: NodeJS.Signals | null): never =>
    process.exit(code ?? 128 + (signal === null ? 0 : os.constants.signals[signal]));

  child.once("close", end);
  // Its children may hold its output open.
  child.once("exit", (code, signal) => void setTimeout(() => end(code, signal), lastWordsMs));
};
