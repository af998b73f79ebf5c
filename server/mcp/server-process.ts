/** A stdio server's own process group. */
import { spawn, type ChildProcess, type ChildProcessByStdio } from "node:child_process";
import { chownSync } from "node:fs";
import { constants, setPriority } from "node:os";
import type { Readable, Writable } from "node:stream";
import type { SandboxPolicy } from "@/server/sandbox/policy";
import { spawnSandboxed } from "@/server/sandbox/spawn";
import { claimUser, type UserRange } from "@/server/sandbox/users";
import { openEgressProxy, type EgressRules } from "./egress-proxy";

export type ServerSandbox = {
  /** Has the launcher. */
  readonly root: string;
  readonly policy: SandboxPolicy;
  /** Hosts reached through its own proxy. */
  readonly egress?: EgressRules;
  /** Under root, its user owns the working folder. */
  readonly users?: { readonly range: UserRange; readonly groups: readonly number[] };
};

export type ProcessOptions = {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Null: not sandboxed. */
  readonly sandbox: ServerSandbox | null;
};

export type ServerProcess = {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Both null while it runs. */
  readonly ending: () => { readonly exitCode: number | null; readonly signal: NodeJS.Signals | null };
  readonly exited: Promise<null>;
  /** After its last output. */
  readonly closed: Promise<null>;
  /** With all of its helpers. */
  readonly kill: (signal: "SIGTERM" | "SIGKILL") => void;
};

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

const hasPipes = (child: ChildProcess): child is Child => child.stdin !== null && child.stdout !== null && child.stderr !== null;

const DRAIN_MS = 200;

/** Never delays the runner. */
const yieldProcessor = (pid: number | undefined): void => {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Ended, or no priorities here.
  }
};

const killGroup = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(-pid, signal);
  } catch {
    // ESRCH: the group has ended.
  }
};

type Held = { readonly policy: SandboxPolicy; readonly env: Readonly<Record<string, string>>; release(): void };

/** @throws with nothing left open */
const holdFor = async ({ policy, egress, users }: ServerSandbox, cwd: string): Promise<Held> => {
  const user = users ? await claimUser(users.range) : null;
  try {
    if (user) chownSync(cwd, user.uid, user.uid);
    const proxy = egress ? await openEgressProxy(egress) : null;

    return {
      policy: {
        ...policy,
        // It reaches only its proxy's port.
        ...(proxy ? { network: { ...policy.network, connect: [proxy.port] } } : {}),
        ...(user && users ? { user: { uid: user.uid, groups: users.groups } } : {}),
      },
      env: proxy?.env ?? {},
      release: () => {
        user?.release();
        void proxy?.close();
      },
    };
  } catch (error) {
    user?.release();
    throw error;
  }
};

const spawnChild = ({ command, args, cwd, sandbox, ...options }: ProcessOptions, held: Held | null): ChildProcess => {
  const env = { ...options.env, ...held?.env, NODE_ENV: "production" as const };
  if (sandbox && held) {
    const spec = { command, args, env, cwd, policy: held.policy, parentPid: process.pid };

    return spawnSandboxed(sandbox.root, spec, ["pipe", "pipe", "pipe"]);
  }

  return spawn(command, [...args], { cwd, env, detached: true, shell: false, windowsHide: true, stdio: ["pipe", "pipe", "pipe"] });
};

const startChild = (options: ProcessOptions, held: Held | null): Promise<Child> =>
  new Promise((resolve, reject) => {
    const child = spawnChild(options, held);
    if (!hasPipes(child)) throw new Error("the child has no pipes");
    child.once("spawn", () => {
      yieldProcessor(child.pid);
      resolve(child);
    });
    child.once("error", reject);
  });

/** @throws as the system does */
export const startServer = async (options: ProcessOptions): Promise<ServerProcess> => {
  const held = options.sandbox && (await holdFor(options.sandbox, options.cwd));
  const child = await startChild(options, held).catch((error: unknown) => {
    held?.release();
    throw error;
  });
  const { stdin, stdout, stderr } = child;
  const kill = (signal: NodeJS.Signals): void => {
    if (child.pid !== undefined) killGroup(child.pid, signal);
  };
  const exited = Promise.withResolvers<null>();
  const closed = Promise.withResolvers<null>();
  child.once("exit", () => {
    held?.release();
    // Helpers end too; one outside the group must not hold the pipe.
    kill("SIGKILL");
    setTimeout(() => {
      stdout.destroy();
      stderr.destroy();
    }, DRAIN_MS).unref();
    exited.resolve(null);
  });
  child.once("close", () => closed.resolve(null));

  return {
    stdin,
    stdout,
    stderr,
    ending: () => ({ exitCode: child.exitCode, signal: child.signalCode }),
    exited: exited.promise,
    closed: closed.promise,
    kill,
  };
};
