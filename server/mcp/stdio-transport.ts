/**
 * Our own stdio transport, because the SDK's one inherits HOME and PATH and kills only the child it knows: here the child
 * leads its own process group, gets exactly the environment it is given, and the whole group ends with the connection.
 */
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { constants, setPriority } from "node:os";
import type { Readable, Writable } from "node:stream";
import { ReadBuffer, serializeMessage, type JSONRPCMessage, type Transport } from "@modelcontextprotocol/client";

export type StdioOptions = {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly maxMessageBytes: number;
  /** What it may send within ten seconds, asked or not. */
  readonly burst?: { readonly messages: number; readonly bytes: number };
  /** How long a child may take to end by itself before its group is killed. */
  readonly graceMs?: number;
};

type Child = ChildProcessByStdio<Writable, Readable, null>;

/** A stray line on stdout is common, a stream of them is an attack on the parser. */
const MAX_MALFORMED = 100;
const DRAIN_MS = 200;

const BURST_MS = 10_000;
/** More than ten calls can answer in that time, each as much as it may; a storm of notifications is over sooner. */
const BURST = { messages: 5_000, bytes: 67_108_864 } as const;

/** Counts what comes within each ten seconds. @returns whether it is more than a server has to say */
const burstGuard = ({ messages, bytes }: NonNullable<StdioOptions["burst"]>): ((newMessages: number, newBytes: number) => boolean) => {
  let since = performance.now();
  let [seenMessages, seenBytes] = [0, 0];

  return (newMessages, newBytes) => {
    if (performance.now() - since > BURST_MS) [since, seenMessages, seenBytes] = [performance.now(), 0, 0];
    seenMessages += newMessages;
    seenBytes += newBytes;

    return seenMessages > messages || seenBytes > bytes;
  };
};

/** What a server computes never keeps the runner waiting. */
const yieldProcessor = (pid: number | undefined): void => {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended already, or the system knows no priorities.
  }
};

const killGroup = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(-pid, signal);
  } catch {
    // ESRCH: the group has ended already, which is what was wanted.
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

const startChild = (options: StdioOptions): Promise<Child> =>
  new Promise((resolve, reject) => {
    const child = spawn(options.command, [...options.args], {
      cwd: options.cwd,
      env: { ...options.env, NODE_ENV: "production" },
      detached: true,
      shell: false,
      windowsHide: true,
      stdio: ["pipe", "pipe", "ignore"],
    });
    child.once("spawn", () => {
      yieldProcessor(child.pid);
      resolve(child);
    });
    child.once("error", reject);
  });

/** A transport over a fresh child process; each instance is started once. */
export const createStdioTransport = (options: StdioOptions): Transport => {
  const buffer = new ReadBuffer({ maxBufferSize: options.maxMessageBytes });
  let child: Child | null = null;
  const isTooMuch = burstGuard(options.burst ?? BURST);
  let malformed = 0;

  const transport: Transport = {
    start: async () => {
      if (child) throw new Error("a stdio transport starts once");
      const started = await startChild(options);
      child = started;
      started.once("exit", () => {
        // Helpers that the server left behind end with it; one that left the group must not hold the pipe open.
        if (started.pid !== undefined) killGroup(started.pid, "SIGKILL");
        setTimeout(() => started.stdout.destroy(), DRAIN_MS).unref();
      });
      started.once("close", () => transport.onclose?.());
      started.stdin.on("error", (error) => transport.onerror?.(error));
      started.stdout.on("error", (error) => transport.onerror?.(error));
      started.stdout.on("data", (chunk: Buffer) => receive(chunk));
    },
    send: (message) =>
      new Promise((resolve, reject) => {
        if (!child || child.stdin.destroyed) return reject(new Error("not connected"));
        child.stdin.write(serializeMessage(message), (error) => (error ? reject(error) : resolve()));
      }),
    close: async () => {
      const closing = child;
      if (!closing?.pid) return;
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
      buffer.append(chunk);
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
