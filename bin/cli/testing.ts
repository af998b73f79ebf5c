import { spawn, type ChildProcess } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { pickEnvironment } from "../testing.ts";
import { ROOT } from "../start/settings.ts";

export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

export type Call = { readonly child: ChildProcess; readonly ended: Promise<Ended> };

export const startCountersign = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Call => {
  const child = spawn(process.execPath, [path.join(ROOT, "bin", "countersign.mjs"), ...args], {
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
