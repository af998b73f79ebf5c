import { spawn, type ChildProcess } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { vi } from "vitest";
import { pickEnvironment, SHORT_LIVED } from "../testing.ts";
import { ROOT } from "../start/settings.ts";
import { runCommand, undoAll } from "./process.ts";

export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

export type Call = { readonly child: ChildProcess; readonly ended: Promise<Ended> };

export const startCountersign = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Call => {
  const child = spawn(process.execPath, [...SHORT_LIVED, path.join(ROOT, "bin", "countersign.mjs"), ...args], {
    env: { NODE_ENV: "test", COUNTERSIGN_HOME: "/nonexistent", ...pickEnvironment(["PATH", "HOME", "NODE_COMPILE_CACHE"]), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";

  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString("utf8")));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString("utf8")));

  return { child, ended: new Promise((resolve) => child.once("close", (code) => resolve({ code, stdout, stderr }))) };
};

export const countersign = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  startCountersign(args, env).ended;

type Env = Readonly<Record<string, string>>;

const DATABASE = Symbol.for("countersign.database");

let loadedFor: string | null = null;

/** Modules read their environment once. */
const loadProgram = async (env: Env) => {
  const key = JSON.stringify(env);
  if (loadedFor !== key) vi.resetModules();
  loadedFor = key;

  return import("@/server/cli/main");
};

const closeOpened = async (): Promise<void> => {
  if (!(DATABASE in globalThis)) return;
  await (await import("@/server/db/client")).closeDatabase();
  Reflect.deleteProperty(globalThis, DATABASE);
  loadedFor = null;
};

const collect = (stream: NodeJS.WriteStream): { readonly text: () => string; readonly stop: () => void } => {
  let text = "";
  const spy = vi.spyOn(stream, "write").mockImplementation((chunk, ...more) => {
    text += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8");
    for (const each of more) if (typeof each === "function") each();

    return true;
  });

  return { text: () => text, stop: () => spy.mockRestore() };
};

/** Runs one command at a time here, without a database connection. */
export const countersignHere = async (args: readonly string[], env: Env = {}): Promise<Ended> => {
  if (DATABASE in globalThis) throw new Error("a command would close this file's database");
  const own = process.env;
  // oxlint-disable-next-line no-restricted-properties -- read, after bin/terminal.mjs
  const [stdout, stderr] = [collect(process.stdout), collect(process.stderr)];
  process.env = {
    NODE_ENV: "test",
    COUNTERSIGN_HOME: "/nonexistent",
    LOG_LEVEL: "silent",
    ...pickEnvironment(["PATH", "HOME"]),
    ...env,
  };
  try {
    const code = await runCommand(args, {
      root: ROOT,
      homeBase: ROOT,
      verifierHtml: async () => (await import("../verifier/build.ts")).verifierHtml(ROOT),
      loadProgram: () => loadProgram(env),
    });
    await undoAll();
    await closeOpened();

    return { code, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    process.env = own;
    stdout.stop();
    stderr.stop();
  }
};

export const fileIn = (folder: string, name: string, content: unknown): string => {
  const file = path.join(folder, name);

  fs.writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));

  return file;
};

/** Smallest graph that calls a model. */
export const SMALL_GRAPH = {
  format: "countersign/graph/v1",
  id: "small",
  name: "Small",
  max_token_budget: 500_000,
  inputs: { type: "object", properties: { topic: { type: "string" } }, additionalProperties: false },
  memory: [
    { key: "topic", schema: { type: "string" } },
    { key: "answer", schema: { type: "string" } },
  ],
  nodes: [
    {
      id: "write",
      kind: "agent",
      read_keys: ["topic"],
      write_keys: ["answer"],
      failure_policy: { attempts: 2, backoff: "fixed", backoff_ms: 10 },
      config: { agent_id: "writer" },
    },
  ],
  edges: [],
  start_node: "write",
  end_nodes: ["write"],
  agents: [{ id: "writer", system_prompt: "You write.", permissions: {}, tools: [], max_steps: 3 }],
};
