import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import path from "node:path";
import type { Socket } from "node:net";
import type { Writable } from "node:stream";
import type { LaunchSpec, SandboxPolicy } from "./policy.ts";
import { UNSHARE } from "./system-files.ts";

type Stdio = readonly ["pipe" | "ignore" | "inherit", "pipe" | "ignore" | "inherit", "pipe" | "ignore" | "inherit"];

const isWritable = (stream: unknown): stream is Writable => typeof stream === "object" && stream !== null && "write" in stream;

const LEAVE_NETWORK = [UNSHARE, "--user", "--map-current-user", "--net", "--"] as const;

/** Root unshares in the launcher. */
const commandFor = ({ namespace }: SandboxPolicy): readonly [string, ...string[]] =>
  namespace && process.geteuid?.() !== 0 ? [...LEAVE_NETWORK, process.execPath] : [process.execPath];

/** Starts a program in its own group. @param root the application's folder */
export const spawnSandboxed = (root: string, spec: LaunchSpec, stdio: Stdio, broker: Socket | null = null): ChildProcess => {
  const launcher = path.join(root, "server", "sandbox", "launcher", "main.mjs");
  const options: StdioOptions = [...stdio, "pipe", ...(spec.hasChannel ? (["pipe"] as const) : []), ...(broker ? [broker] : [])];
  const [command, ...before] = commandFor(spec.policy);
  const child = spawn(command, [...before, "--no-warnings", launcher], {
    cwd: root,
    env: { NODE_ENV: "production" },
    detached: true,
    stdio: options,
  });
  const pipe = child.stdio[3];

  if (isWritable(pipe)) {
    // The exit code explains an early end.
    pipe.on("error", () => undefined);
    pipe.end(JSON.stringify(spec));
  }

  return child;
};
