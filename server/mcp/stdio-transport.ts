/**
 * Our own stdio transport, because the SDK's one inherits HOME and PATH and kills only the child it knows: here the child
 * leads its own process group, gets exactly the environment it is given, and the whole group ends with the connection.
 */
import { spawn, type ChildProcessByStdio } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { ReadBuffer, serializeMessage, type JSONRPCMessage, type Transport } from "@modelcontextprotocol/client";

export type StdioOptions = {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly maxMessageBytes: number;
  /** How long a child may take to end by itself before its group is killed. */
  readonly graceMs?: number;
};

type Child = ChildProcessByStdio<Writable, Readable, null>;

/** A stray line on stdout is common, a stream of them is an attack on the parser. */
const MAX_MALFORMED = 100;
const DRAIN_MS = 200;

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
    child.once("spawn", () => resolve(child));
    child.once("error", reject);
  });

/** A transport over a fresh child process; each instance is started once. */
export const createStdioTransport = (options: StdioOptions): Transport => {
  const buffer = new ReadBuffer({ maxBufferSize: options.maxMessageBytes });
  let child: Child | null = null;
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
      buffer.append(chunk);
      for (let message = next(); message !== null; message = next()) transport.onmessage?.(message);
    } catch (error) {
      fail(error);
    }
  };

  return transport;
};
