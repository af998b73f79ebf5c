/** The SDK's transport inherits HOME and PATH and kills only its child; this kills the group. */
import { ReadBuffer, serializeMessage, type JSONRPCMessage, type Transport } from "@modelcontextprotocol/client";
import type { ProcessFailure } from "@/lib/mcp/process-failure";
import { createBurstGuard, type Burst } from "./burst-guard";
import { createErrorOutput } from "./error-output";
import { createLines } from "./lines";
import { startServer, type ProcessOptions, type ServerProcess } from "./server-process";

type TransportOptions = {
  /** Removed from its error output. */
  readonly secrets?: readonly string[];
  readonly maxMessageBytes: number;
  /** Per ten seconds, asked or not. */
  readonly burst?: Burst;
  /** Before its group is killed. */
  readonly graceMs?: number;
};

export type StdioOptions = ProcessOptions & TransportOptions;

export type StdioTransport = Transport & {
  /** Waits briefly. Ask before `close`. */
  failure(): Promise<ProcessFailure>;
};

const errnoOf = (error: unknown): string | null => {
  const code = error instanceof Error && "code" in error ? error.code : null;

  return typeof code === "string" && /^E[A-Z0-9]{1,20}$/.test(code) ? code : null;
};

/** Stray lines are common; a stream attacks the parser. */
const MAX_MALFORMED = 100;
const FAILURE_WAIT_MS = 400;

/** Fits ten calls' largest answers, but no storm. */
const BURST: Burst = { messages: 5_000, bytes: 67_108_864 };

const within = async (ended: Promise<null>, ms: number): Promise<boolean> => {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), ms);
  try {
    return await Promise.race([ended.then(() => true), late.promise]);
  } finally {
    clearTimeout(timer);
  }
};

export const createProcessTransport = (open: () => Promise<ServerProcess>, options: TransportOptions): StdioTransport => {
  const buffer = new ReadBuffer();
  const takeLines = createLines(options.maxMessageBytes);
  const errorOutput = createErrorOutput(options.secrets ?? []);
  let isStarted = false;
  let server: ServerProcess | null = null;
  let errno: string | null = null;
  let isClosing = false;
  const isTooMuch = createBurstGuard(options.burst ?? BURST);
  let malformed = 0;

  const hasEnded = ({ ending }: ServerProcess): boolean => ending().exitCode !== null || ending().signal !== null;

  const transport: StdioTransport = {
    start: async () => {
      if (isStarted) throw new Error("a stdio transport starts once");
      isStarted = true;
      const started = await open().catch((error: unknown) => {
        errno = errnoOf(error);
        throw error;
      });
      server = started;
      void started.closed.then(() => transport.onclose?.());
      for (const stream of [started.stdin, started.stdout, started.stderr])
        stream.on("error", (error: Error) => transport.onerror?.(error));
      started.stdout.on("data", (chunk: Buffer) => receive(chunk));
      started.stderr.on("data", (chunk: Buffer) => {
        errorOutput.push(chunk);
        if (isTooMuch(0, chunk.length)) fail(new Error("too much output"));
      });
    },
    send: (message) =>
      new Promise((resolve, reject) => {
        if (!server || server.stdin.destroyed) return reject(new Error("not connected"));
        server.stdin.write(serializeMessage(message), (error) => (error ? reject(error) : resolve()));
      }),
    failure: async () => {
      // The pipe breaks before the process ends; its output comes last.
      if (server) await within(server.closed, FAILURE_WAIT_MS);
      // Ending it ourselves is no failure.
      const { exitCode, signal } = isClosing || !server ? { exitCode: null, signal: null } : server.ending();

      return { errno, exitCode, signal, output: errorOutput.text() };
    },
    close: async () => {
      const closing = server;
      if (!closing) return;
      isClosing ||= !hasEnded(closing);
      closing.stdin.end();
      const graceMs = options.graceMs ?? 500;
      if (await within(closing.exited, graceMs)) return;
      closing.kill("SIGTERM");
      if (await within(closing.exited, graceMs)) return;
      closing.kill("SIGKILL");
      await within(closing.exited, graceMs);
    },
  };

  const fail = (error: unknown): void => {
    transport.onerror?.(error instanceof Error ? error : new Error("malformed output"));
    server?.kill("SIGKILL");
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

export const createStdioTransport = (options: StdioOptions): StdioTransport => createProcessTransport(() => startServer(options), options);
