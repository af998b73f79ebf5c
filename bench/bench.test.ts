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
