import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { graphSchema, type PublishedGraph } from "@/lib/graph/document";
import { testInstallation } from "@/server/mcp/testing/installation";
import { command, openDesk, publishAs, type Desk } from "@/server/runner/testing/desk";
import { drive, readRun } from "@/server/runner/testing/run";
import { statementsOf } from "@/server/testing/statements";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
beforeAll(async () => {
  desk = await openDesk(urls, installation);
}, 120_000);
afterAll(() => desk.mcp.close());

const chain = (steps: number): PublishedGraph => ({
  agents: [],
  tools: [],
  subgraphs: [],
  graph: graphSchema.parse({
    format: "countersign/graph/v1",
    id: "chain",
    name: `Chain of ${steps}`,
    inputs: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    memory: [
      { key: "text", schema: { type: "string" }, max_bytes: 4_000_000 },
      { key: "count", schema: { type: "number" } },
    ],
    nodes: Array.from({ length: steps }, (_, n) => ({
      id: `n${n}`,
      kind: n % 2 === 0 ? "transform" : "router",
      read_keys: ["text", "count"],
      write_keys: ["count"],
      config: n % 2 === 0 ? { set: [{ path: "count", value: `${n}.0` }] } : {},
    })),
    edges: Array.from({ length: steps - 1 }, (_, n) => ({ id: `e${n}`, source: `n${n}`, target: `n${n + 1}` })),
    start_node: "n0",
    end_nodes: [`n${steps - 1}`],
    max_iterations: 1_000,
  }),
});

const WRITES = /\b(?:insert|update|delete)\b/i;

const sentFor = async (steps: number, bytes: number): Promise<string[]> => {
  const published = chain(steps);
  const hash = await publishAs(desk, published, desk.people.builder);
  const runId = randomUUID();
  await command(desk, runId, desk.people.starter, {
    kind: "start",
    graph_hash: hash,
    goal: "",
    constraints: [],
    inputs: { text: "x".repeat(bytes) },
    model: "scripted:honest",
  });
  const sent = await statementsOf(() => drive(desk, runId));
  const { state, records } = await readRun(desk, runId);
  expect(state.status).toBe("completed");
  expect(records).toHaveLength(steps + 2);

  return sent;
};

const costOf = async (steps: number, bytes: number): Promise<{ statements: number; writes: number }> => {
  const sent = await sentFor(steps, bytes);

  return { statements: sent.length, writes: sent.filter((text) => WRITES.test(text)).length };
};

describe("a step without effects", () => {
  it.each([{ bytes: 10 }, { bytes: 1_000_000 }])("costs at most one write transaction, with $bytes bytes of memory", async ({ bytes }) => {
    const short = await costOf(4, bytes);
    const long = await costOf(24, bytes);
    expect(long.statements - short.statements).toBeLessThanOrEqual(20);
    expect(long.writes - short.writes).toBeLessThanOrEqual(20);
  });
});

describe("a start", () => {
  it("reads version and person once each, and authority once more for the stop switch", async () => {
    const sent = await sentFor(2, 10);
    const reads = (table: string) => sent.filter((text) => text.startsWith("select") && text.includes(`from ${table}`)).length;
    expect({ authority: reads("ledger_record"), version: reads("graph_version"), person: reads("membership") }).toEqual({
      authority: 2,
      version: 1,
      person: 1,
    });
  });
});
