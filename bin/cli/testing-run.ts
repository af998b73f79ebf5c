import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { z } from "zod";
import { withClient } from "@/server/db/connect";
import { RUG_PULL } from "@/server/mcp/testing/installation";
import { afterAll, expect, inject } from "vitest";
import { listen, oldServer } from "@/server/mcp/testing/http-server";
import { countersign, fileIn, SMALL_GRAPH } from "./testing.ts";

export const folder = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-run-"));
export const { adminUrl } = inject("testServer");
export const origin = await listen(oldServer([]));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

export const printedSchema = z.strictObject({
  status: z.string(),
  run_id: z.uuid(),
  memory: z.record(z.string(), z.unknown()),
  labels: z.record(z.string(), z.strictObject({ integrity: z.string(), confidentiality: z.string(), provenance: z.array(z.string()) })),
  visited_nodes: z.array(z.string()),
  records: z.array(
    z.strictObject({
      seq: z.number(),
      kind: z.enum(["transition", "refusal"]),
      node: z.string().nullable(),
      code: z.string().optional(),
      digest: z.string().length(64),
    }),
  ),
  refusals: z.array(z.strictObject({ code: z.string(), node: z.string().nullable(), message: z.string().min(1) })),
  usage: z.strictObject({ input_tokens: z.number(), output_tokens: z.number(), total_tokens: z.number(), model_calls: z.number() }),
  cost_usd: z.number(),
  verify: z.strictObject({ ok: z.boolean(), records: z.number(), problems: z.array(z.unknown()) }),
  error: z.strictObject({ node: z.string(), code: z.string(), message: z.string() }).optional(),
});
const invalidSchema = z.strictObject({
  status: z.literal("invalid"),
  problems: z.array(z.object({ code: z.string(), severity: z.string(), message: z.string().min(1) })).min(1),
});

export type Files = Partial<Record<"inputs" | "script" | "mcp" | "decide" | "env", unknown>>;

let made = 0;

/** Writes one file per value and returns arguments. */
export const argumentsOf = (graph: unknown, files: Files): string[] => {
  made += 1;

  return [
    "run",
    fileIn(folder, `${made}-graph.json`, graph),
    "--json",
    ...Object.entries(files).flatMap(([name, content]) => [`--${name}`, fileIn(folder, `${made}-${name}.json`, content)]),
  ];
};

export const run = async (graph: unknown, files: Files = {}) => {
  const { code, stdout, stderr } = await countersign(argumentsOf(graph, files), { DATABASE_URL: adminUrl });
  if (code === 1) throw new Error(stderr || stdout);

  return { code, ...printedSchema.parse(JSON.parse(stdout)) };
};

export const invalid = async (graph: unknown, files: Files = {}): Promise<string[]> => {
  const { code, stdout } = await countersign(argumentsOf(graph, files), { DATABASE_URL: adminUrl });
  expect(code).toBe(1);

  return invalidSchema.parse(JSON.parse(stdout)).problems.flatMap((found) => (found.severity === "error" ? [found.code] : []));
};

export const databases = (): Promise<number> =>
  withClient(adminUrl, async (client) => {
    const found = await client.query("select 1 from pg_database where datname like 'countersign_run_%'");

    return found.rowCount ?? 0;
  });

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);

    return true;
  } catch {
    return false;
  }
};

export const says = (...steps: unknown[]) => ({ agents: { writer: steps } });
export const ECHO = { mcpServers: { echo: { command: process.execPath, args: [RUG_PULL] } } };

export const GATED = {
  ...SMALL_GRAPH,
  nodes: [
    ...SMALL_GRAPH.nodes,
    { id: "ask", kind: "approval", read_keys: ["answer"], config: { prompt: "Is this right?", review_keys: ["answer"] } },
    { id: "done", kind: "router", config: {} },
  ],
  edges: [
    { id: "e1", source: "write", target: "ask" },
    { id: "e2", source: "ask", target: "done" },
  ],
  end_nodes: ["done"],
};

export const WITH_ECHO = { ...SMALL_GRAPH, agents: SMALL_GRAPH.agents.map((agent) => ({ ...agent, tools: ["echo__echo"] })) };
export const callEcho = { tool_calls: [{ name: "echo__echo", input: { text: "ping" } }] };
