/** Starts programs through the launcher, which restricts itself and becomes the program. */
import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import path from "node:path";
import type { Writable } from "node:stream";
import type { LaunchSpec, SandboxPolicy } from "./policy.ts";
import { UNSHARE } from "./system-files.ts";

/** `pipe`, `ignore` or `inherit` for stdin, stdout and stderr. */
type Stdio = readonly ["pipe" | "ignore" | "inherit", "pipe" | "ignore" | "inherit", "pipe" | "ignore" | "inherit"];

const isWritable = (stream: unknown): stream is Writable => typeof stream === "object" && stream !== null && "write" in stream;

const LEAVE_NETWORK = [UNSHARE, "--user", "--map-current-user", "--net", "--"] as const;

/** What starts the launcher, in an empty network where the policy asks for one. Root leaves the network in the launcher. */
const commandFor = ({ namespace }: SandboxPolicy): readonly [string, ...string[]] =>
  namespace && process.geteuid?.() !== 0 ? [...LEAVE_NETWORK, process.execPath] : [process.execPath];

/**
 * The process leads a group of its own. The launcher itself gets no environment; what the program gets is in the spec.
 * @param root folder of the application, which has the launcher
 */
export const spawnSandboxed = (root: string, spec: LaunchSpec, stdio: Stdio): ChildProcess => {
  const launcher = path.join(root, "server", "sandbox", "launcher", "main.mjs");
  const options: StdioOptions = [...stdio, "pipe", ...(spec.hasChannel ? (["pipe"] as const) : [])];
  const [command, ...before] = commandFor(spec.policy);
  const child = spawn(command, [...before, "--no-warnings", launcher], {
    cwd: root,
    env: { NODE_ENV: "production" },
    detached: true,
    stdio: options,
  });
  const pipe = child.stdio[3];

  if (isWritable(pipe)) {
    // A launcher that ended before it read says why by its exit code.
    pipe.on("error", () => undefined);
    pipe.end(JSON.stringify(spec));
  }

  return child;
};
