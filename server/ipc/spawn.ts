import { spawn, type ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import path from "node:path";
import { Duplex } from "node:stream";
import { pathToFileURL } from "node:url";
import type { SandboxPolicy } from "@/server/sandbox/policy";
import { spawnSandboxed } from "@/server/sandbox/spawn";
import { CHANNEL_FD } from "@/server/sandbox/channel";

export type ProgramSpec = {
  readonly root: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly sandbox: SandboxPolicy | null;
  /** Closed here. */
  readonly broker?: Socket | null;
};

export type ChannelProcess = { readonly child: ChildProcess; readonly channel: Duplex };

/** Ends with this process. */
export const spawnWithChannel = ({ root, args, env, sandbox, broker = null }: ProgramSpec): ChannelProcess => {
  const command = process.execPath;
  const leashed = ["--import", pathToFileURL(path.join(root, "bin", "start", "leash.mjs")).href, ...args];
  const child =
    sandbox === null
      ? spawn(command, leashed, {
          cwd: root,
          env: { NODE_ENV: "production", ...env },
          detached: true,
          stdio: ["pipe", "pipe", "pipe", "ignore", "pipe", ...(broker ? [broker] : [])],
        })
      : spawnSandboxed(
          root,
          { command, args: leashed, env, cwd: root, policy: sandbox, parentPid: process.pid, hasChannel: true, hasBroker: broker !== null },
          ["pipe", "pipe", "pipe"],
          broker,
        );
  broker?.destroy();
  const channel = child.stdio[CHANNEL_FD];
  if (!(channel instanceof Duplex)) throw new Error("the process has no channel");

  return { child, channel };
};

const GRACE_MS = 5_000;

const signalGroup = (child: ChildProcess, signal: NodeJS.Signals): void => {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group has ended.
  }
};

/** Ends a process, then kills its group. @param graceMs 0 kills at once */
export const endProcess = async (child: ChildProcess, graceMs = GRACE_MS): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
    const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    const force = setTimeout(() => signalGroup(child, "SIGKILL"), graceMs);
    if (graceMs > 0) child.kill("SIGTERM");
    await ended;
    clearTimeout(force);
  }
  signalGroup(child, "SIGKILL");
};
