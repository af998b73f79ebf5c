import { randomUUID } from "node:crypto";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { graphSchema, type PublishedGraph } from "@/lib/graph/document";
import { getCommitPool, getPool } from "@/server/db/client";
import { testInstallation } from "@/server/mcp/testing/installation";
import { command, openDesk, publishAs, type Desk } from "@/server/runner/testing/desk";
import { drive, readRun } from "@/server/runner/testing/run";
import { loadLedger } from "@/server/store/ledger/ledger";
import { APPEND_PLAIN, APPEND_RECORDS } from "@/server/store/sql/append-records";
import { queryRows } from "@/server/store/sql/rows";
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

/** Asks each connection of a pool. */
const askEach = async <T>(pool: pg.Pool, ask: (client: pg.PoolClient) => Promise<T>): Promise<T[]> => {
  const clients = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()));
  try {
    return await Promise.all(clients.map(ask));
  } finally {
    for (const client of clients) client.release();
  }
};

const plannedRow = z.object({ name: z.string(), custom: z.number(), generic: z.number() });

const readPlans = async (pool: pg.Pool) =>
  (
    await askEach(pool, (client) =>
      queryRows(client, plannedRow, {
        text: "select name, custom_plans::int as custom, generic_plans::int as generic from pg_prepared_statements",
      }),
    )
  ).flat();

const movedRow = z.object({ moved: z.number() });

const countMoved = async (): Promise<number> => {
  for (const pool of [getCommitPool(), getPool()]) await askEach(pool, (client) => client.query("select pg_stat_force_next_flush()"));
  const [row] = await queryRows(getPool(), movedRow, {
    text: "select (n_tup_upd - n_tup_hot_upd - n_tup_newpage_upd)::int as moved from pg_stat_user_tables where relname = 'run'",
  });

  return row?.moved ?? Number.NaN;
};

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

  it("writes no index of its run", async () => {
    const movedBy = async (steps: number): Promise<number> => {
      const before = await countMoved();
      await sentFor(steps, 10);

      return (await countMoved()) - before;
    };
    const short = await movedBy(4);
    expect(short).toBeGreaterThan(0);
    // Several records share an update; changes of status may.
    expect((await movedBy(204)) - short).toBeLessThanOrEqual(2);
  });

  it("looks its run up by index, also in tables that were small when it was planned", async () => {
    await sentFor(4, 10);
    for (const text of [APPEND_PLAIN, APPEND_RECORDS]) {
      const rows = await getCommitPool().query<{ "QUERY PLAN": string }>(`explain (generic_plan) ${text}`);
      const plan = rows.rows.map((row) => row["QUERY PLAN"]).join("\n");
      expect(plan).toContain("Index Cond: (id = ANY (ARRAY[w.run]))");
      expect(plan).not.toContain("Seq Scan");
    }
    const countScans = async (): Promise<number> => {
      await askEach(getPool(), (client) => client.query("select pg_stat_force_next_flush()"));
      const [row] = await queryRows(getPool(), movedRow, {
        text: "select seq_scan::int as moved from pg_stat_user_tables where relname = 'cell'",
      });

      return row?.moved ?? Number.NaN;
    };
    const before = await countScans();
    await loadLedger(desk.workspace, randomUUID());
    expect(await countScans()).toBe(before);
  });

  it("is planned once per connection", async () => {
    await sentFor(4, 10);
    const plans = await readPlans(getCommitPool());
    expect(plans.map(({ name }) => name)).toEqual(expect.arrayContaining(["append-plain", "append-records"]));
    expect(plans.filter(({ custom, generic }) => custom > 0 || generic === 0)).toEqual([]);
  });
});

const OF_EACH_START = ["authority", "logged-ends", "pending-commands", "release-lease", "run-workspaces", "take-leases"];
const MOST_CUSTOM_PLANS = 5;

describe("a start", () => {
  it("is soon carried out without planning", async () => {
    let plans = await readPlans(getPool());
    const listRepeated = () => plans.filter(({ custom, generic }) => custom + generic > MOST_CUSTOM_PLANS).map(({ name }) => name);
    for (let runs = 0; runs < 40 && !OF_EACH_START.every((name) => listRepeated().includes(name)); runs += 1) {
      await sentFor(2, 10);
      plans = await readPlans(getPool());
    }
    expect(listRepeated()).toEqual(expect.arrayContaining(OF_EACH_START));
    // Of `readRun`.
    const isOfTest = (name: string): boolean => name.startsWith("ledger-");
    expect(plans.filter(({ name, custom }) => !isOfTest(name) && custom > MOST_CUSTOM_PLANS)).toEqual([]);
  });

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
