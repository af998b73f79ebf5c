import { spawn, type ChildProcess } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { spawnSandboxed } from "../../server/sandbox/spawn.ts";
import type { SandboxPolicy } from "../../server/sandbox/policy.ts";
import { say } from "./progress.ts";
import { ROOT } from "./settings.ts";

export type ChildSpec = {
  readonly name: "web" | "runner" | "containers";
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly logFile: string;
  /** Built before each start, because it names existing files. */
  readonly sandbox: (() => SandboxPolicy) | null;
  readonly graceMs?: number;
  readonly onOutput?: (chunk: Buffer) => void;
  readonly onGivenUp: (words: string) => void;
};

export type Child = { stop(): Promise<void> };

const backoffMs = [500, 1_000, 2_000, 4_000, 8_000] as const;

/** After this long, crashes count from zero. */
const healthyAfterMs = 60_000;
const usualGraceMs = 15_000;
const wordsChars = 2_000;

const leash = pathToFileURL(path.join(import.meta.dirname, "leash.mjs")).href;

const signalGroup = (child: ChildProcess, signal: NodeJS.Signals): void => {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group is gone.
  }
};

const isGone = (child: ChildProcess): boolean => child.pid === undefined || child.exitCode !== null || child.signalCode !== null;

const stopChild = async (child: ChildProcess, graceMs: number): Promise<void> => {
  if (!isGone(child)) {
    const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    const force = setTimeout(() => signalGroup(child, "SIGKILL"), graceMs);

    child.kill("SIGTERM");
    await gone;
    clearTimeout(force);
  }
  // Some helpers ignore the end of their input.
  signalGroup(child, "SIGKILL");
};

/** Spawns a leashed group: Ctrl-C reaches only the supervisor. */
export const spawnLeashed = ({ args, cwd, env, sandbox }: Pick<ChildSpec, "args" | "cwd" | "env" | "sandbox">): ChildProcess => {
  const command = process.execPath;
  const leashed = ["--import", leash, ...args];
  if (sandbox === null) return spawn(command, leashed, { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
  const given = Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

  return spawnSandboxed(ROOT, { command, args: leashed, env: given, cwd, policy: sandbox(), parentPid: null }, ["pipe", "pipe", "pipe"]);
};

export const superviseChild = (spec: ChildSpec): Child => {
  let stopping = false;
  let crashes = 0;
  let timer: NodeJS.Timeout | null = null;

  const start = (): ChildProcess => {
    const startedMs = Date.now();
    const log = fs.createWriteStream(spec.logFile, { flags: "a", mode: 0o600 });
    let words = "";
    const child = spawnLeashed(spec);
    const keep = (chunk: Buffer): void => {
      log.write(chunk);
      spec.onOutput?.(chunk);
      words = (words + chunk.toString("utf8")).slice(-wordsChars);
    };

    child.stdout?.on("data", keep);
    child.stderr?.on("data", keep);
    child.once("error", (error) => (words += error.message));
    child.once("close", (code, signal) => {
      log.end();
      if (stopping) return;
      signalGroup(child, "SIGKILL");
      crashes = Date.now() - startedMs > healthyAfterMs ? 1 : crashes + 1;
      const pauseMs = backoffMs[crashes - 1];

      if (pauseMs === undefined) return spec.onGivenUp(words.trim());
      say(`  ! The ${spec.name} process exited (${signal ?? `code ${code}`}). Restarting in ${pauseMs / 1000} s. Log: ${spec.logFile}`);
      timer = setTimeout(() => (current = start()), pauseMs);
    });

    return child;
  };
  let current = start();

  return {
    stop: async () => {
      stopping = true;
      if (timer !== null) clearTimeout(timer);
      await stopChild(current, spec.graceMs ?? usualGraceMs);
    },
  };
};
