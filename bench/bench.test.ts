/** Tests the output format, not speed. */
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { z } from "zod";

const figures = z.object({
  countersign: z.number().positive(),
  langgraph: z.null(),
  dbos: z.null(),
  cycgraph: z.null(),
  mastra: z.null(),
  floor: z.number().positive(),
});
const printed = z.object({
  steps: z.object({
    runs1: figures,
    runs16: figures,
    runs64: figures,
    cost_us: z.object({ digest: z.number().positive(), signature: z.number().positive() }),
  }),
  machine: z.object({ postgres: z.string(), settings: z.object({ fsync: z.literal("on"), synchronous_commit: z.literal("on") }) }),
});

const bench = (...args: string[]) =>
  promisify(execFile)(process.execPath, [path.resolve("bench/start.ts"), ...args], { cwd: path.resolve(import.meta.dirname, "..") });

test("a quick bench without peers counts steps on a durable Postgres, verifies them, and prints one JSON object", async () => {
  const { stdout, stderr } = await bench("--only", "steps", "--peers", "none", "--quick", "--json");

  expect(() => printed.parse(JSON.parse(stdout))).not.toThrow();
  expect(stderr).toContain("[steps 6/6");
}, 300_000);

const latency = z.object({ approved: z.number(), p50: z.number().positive(), p95: z.number().positive(), most: z.number().positive() });

test("a quick bench of approvals loses none and has each effect once", async () => {
  const { stdout } = await bench("--only", "approve", "--peers", "none", "--quick", "--json");
  const { approve } = z.object({ approve: z.object({ waiting: z.literal(12), paced: latency, burst: latency }) }).parse(JSON.parse(stdout));

  expect([approve.paced.approved, approve.burst.approved]).toEqual([4, 4]);
}, 300_000);
