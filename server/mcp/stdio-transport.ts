/** The SDK's transport inherits HOME and PATH and kills only its child; this kills the group. */
import { spawn, type ChildProcess, type ChildProcessByStdio } from "node:child_process";
import { chownSync } from "node:fs";
import { constants, setPriority } from "node:os";
import type { Readable, Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { ReadBuffer, serializeMessage, type JSONRPCMessage, type Transport } from "@modelcontextprotocol/client";
import type { ProcessFailure } from "@/lib/mcp/process-failure";
import type { SandboxPolicy } from "@/server/sandbox/policy";
import { spawnSandboxed } from "@/server/sandbox/spawn";
import { claimUser, type UserRange } from "@/server/sandbox/users";
import { createBurstGuard, type Burst } from "./burst-guard";
import { openEgressProxy, type EgressRules } from "./egress-proxy";
import { createErrorOutput } from "./error-output";
import { createLines } from "./lines";

export type ServerSandbox = {
  /** Has the launcher. */
  readonly root: string;
  readonly policy: SandboxPolicy;
  /** Hosts reached through its own proxy. */
  readonly egress?: EgressRules;
  /** Under root, its user owns the working folder. */
  readonly users?: { readonly range: UserRange; readonly groups: readonly number[] };
};

export type StdioOptions = {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Removed from its error output. */
  readonly secrets?: readonly string[];
  readonly cwd: string;
  readonly maxMessageBytes: number;
  /** Per ten seconds, asked or not. */
  readonly burst?: Burst;
  /** Before its group is killed. */
  readonly graceMs?: number;
  /** Null: not sandboxed. */
  readonly sandbox: ServerSandbox | null;
};

export type StdioTransport = Transport & {
  /** Waits briefly. Ask before `close`. */
  failure(): Promise<ProcessFailure>;
};

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

const hasPipes = (child: ChildProcess): child is Child => child.stdin !== null && child.stdout !== null && child.stderr !== null;

const errnoOf = (error: unknown): string | null => {
  const code = error instanceof Error && "code" in error ? error.code : null;

  return typeof code === "string" && /^E[A-Z0-9]{1,20}$/.test(code) ? code : null;
};

/** Stray lines are common; a stream attacks the parser. */
const MAX_MALFORMED = 100;
const DRAIN_MS = 200;
const FAILURE_WAIT_MS = 2 * DRAIN_MS;

/** Fits ten calls' largest answers, but no storm. */
const BURST: Burst = { messages: 5_000, bytes: 67_108_864 };

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

const exited = (child: Child, withinMs: number): Promise<boolean> => {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(true);

  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), withinMs);
    child.once("exit", () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
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

const spawnChild = ({ command, args, cwd, sandbox, ...options }: StdioOptions, held: Held | null): ChildProcess => {
  const env = { ...options.env, ...held?.env, NODE_ENV: "production" as const };
  if (sandbox && held) {
    const spec = { command, args, env, cwd, policy: held.policy, parentPid: process.pid };

    return spawnSandboxed(sandbox.root, spec, ["pipe", "pipe", "pipe"]);
  }

  return spawn(command, [...args], { cwd, env, detached: true, shell: false, windowsHide: true, stdio: ["pipe", "pipe", "pipe"] });
};

const startChild = (options: StdioOptions, held: Held | null): Promise<Child> =>
  new Promise((resolve, reject) => {
    const child = spawnChild(options, held);
    if (!hasPipes(child)) throw new Error("the child has no pipes");
    child.once("spawn", () => {
      yieldProcessor(child.pid);
      resolve(child);
    });
    child.once("error", reject);
  });

export const createStdioTransport = (options: StdioOptions): StdioTransport => {
  const buffer = new ReadBuffer();
  const takeLines = createLines(options.maxMessageBytes);
  const errorOutput = createErrorOutput(options.secrets ?? []);
  let child: Child | null = null;
  let errno: string | null = null;
  let isClosing = false;
  const closed = Promise.withResolvers<null>();
  const isTooMuch = createBurstGuard(options.burst ?? BURST);
  let malformed = 0;

  const transport: StdioTransport = {
    start: async () => {
      if (child) throw new Error("a stdio transport starts once");
      const held = options.sandbox && (await holdFor(options.sandbox, options.cwd));
      const started = await startChild(options, held).catch((error: unknown) => {
        held?.release();
        errno = errnoOf(error);
        throw error;
      });
      child = started;
      started.once("exit", () => held?.release());
      started.once("exit", () => {
        // Helpers end too; one outside the group must not hold the pipe.
        if (started.pid !== undefined) killGroup(started.pid, "SIGKILL");
        setTimeout(() => {
          started.stdout.destroy();
          started.stderr.destroy();
        }, DRAIN_MS).unref();
      });
      started.once("close", () => {
        closed.resolve(null);
        transport.onclose?.();
      });
      started.stdin.on("error", (error) => transport.onerror?.(error));
      started.stdout.on("error", (error) => transport.onerror?.(error));
      started.stderr.on("error", (error) => transport.onerror?.(error));
      started.stdout.on("data", (chunk: Buffer) => receive(chunk));
      started.stderr.on("data", (chunk: Buffer) => {
        errorOutput.push(chunk);
        if (isTooMuch(0, chunk.length)) fail(new Error("too much output"));
      });
    },
    send: (message) =>
      new Promise((resolve, reject) => {
        if (!child || child.stdin.destroyed) return reject(new Error("not connected"));
        child.stdin.write(serializeMessage(message), (error) => (error ? reject(error) : resolve()));
      }),
    failure: async () => {
      // The pipe breaks before the process ends; its output comes last.
      if (child) await Promise.race([closed.promise, delay(FAILURE_WAIT_MS, null, { ref: false })]);
      // Ending it ourselves is no failure.
      const { exitCode = null, signalCode: signal = null } = isClosing ? {} : (child ?? {});

      return { errno, exitCode, signal, output: errorOutput.text() };
    },
    close: async () => {
      const closing = child;
      if (!closing?.pid) return;
      isClosing ||= closing.exitCode === null && closing.signalCode === null;
      closing.stdin.end();
      const graceMs = options.graceMs ?? 500;
      if (await exited(closing, graceMs)) return;
      killGroup(closing.pid, "SIGTERM");
      if (await exited(closing, graceMs)) return;
      killGroup(closing.pid, "SIGKILL");
      await exited(closing, graceMs);
    },
  };

  const fail = (error: unknown): void => {
    transport.onerror?.(error instanceof Error ? error : new Error("malformed output"));
    if (child?.pid !== undefined) killGroup(child.pid, "SIGKILL");
  };

  const next = (): JSONRPCMessage | null => {
    try {
      return buffer.readMessage();
    } catch (error) {
      malformed += 1;
      if (malformed > MAX_MALFORMED) throw error;

      return next();
    }
  };

  const receive = (chunk: Buffer): void => {
    try {
      if (isTooMuch(0, chunk.length)) throw new Error("too much output");
      const lines = takeLines(chunk);
      if (lines === null) return;
      buffer.append(lines);
      for (let message = next(); message !== null; message = next()) {
        if (isTooMuch(1, 0)) throw new Error("too many messages");
        transport.onmessage?.(message);
      }
    } catch (error) {
      fail(error);
    }
  };

  return transport;
};
