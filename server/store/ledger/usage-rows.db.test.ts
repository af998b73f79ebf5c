import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { isTerminal, type RunEvent } from "@/lib/engine/event";
import { withClient } from "@/server/db/connect";
import { testInstallation } from "@/server/mcp/testing/installation";
import { openDesk, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { drive, readRun } from "@/server/runner/testing/run";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
beforeAll(async () => {
  desk = await openDesk(urls, installation);
}, 120_000);
afterAll(() => desk.mcp.close());

type Latency = { readonly seq: number; readonly index: number; readonly latency_ms: string };

const backfill = async () => {
  const sql = await readFile("prisma/migrations/0095_usage/migration.sql", "utf8");

  const { columns = "", select = "" } = /INSERT INTO "model_usage" \((?<columns>[^)]*)\)\n(?<select>SELECT.*?);/su.exec(sql)?.groups ?? {};

  return { columns, text: `with found (${columns}) as (${select} and l.run_id = $1) select * from found order by seq, index` };
};

const backfillLatency = async (run: string): Promise<readonly Latency[][]> => {
  const sql = await readFile("prisma/migrations/0122_call_latency/migration.sql", "utf8");
  const part = (from: RegExp): string => from.exec(sql)?.[0] ?? "";
  const text = [
    "begin; set local session_replication_role = replica",
    "delete from tool_usage; update model_usage set latency_ms = null",
    part(/CREATE TEMPORARY TABLE "earlier_call"[^;]*;/u),
    part(/INSERT INTO "tool_usage"[^;]*;/u),
    part(/UPDATE "model_usage"[^;]*;/u),
  ].join(";");

  return withClient(urls.admin, async (client) => {
    await client.query(text);
    const of = async (table: string) => (await client.query<Latency>(select(table), [run])).rows;
    const found = [await of("model_usage"), await of("tool_usage")];
    await client.query("rollback");

    return found;
  });
};

const select = (table: string): string =>
  `select seq, index, latency_ms from ${table} where run_id = $1 and latency_ms is not null order by seq, index`;

it("stores each call's usage with its record, as the migration finds it in the records", async () => {
  const run = await startRun(desk, "honest", "02-outage-credit.txt");
  await drive(desk, run);
  const { state, records } = await readRun(desk, run);
  const rows = await query<{ model: string; agent: string; input_tokens: number; output_tokens: number; micro_usd: string }>(
    urls.admin,
    "select * from model_usage where run_id = $1 order by seq, index",
    [run],
  );
  const calls = records.flatMap(({ record }) => record.control.flatMap((event) => (event.type === "model_called" ? [event.usage] : [])));
  expect(calls.length).toBeGreaterThan(0);
  expect(rows).toMatchObject(calls.map(({ model, input_tokens, output_tokens }) => ({ model, input_tokens, output_tokens })));
  expect(rows.reduce((sum, row) => sum + row.input_tokens + row.output_tokens, 0)).toBe(state.totalTokens);
  const { columns, text } = await backfill();
  expect(await query(urls.admin, `select ${columns} from model_usage where run_id = $1 order by seq, index`, [run])).toEqual(
    await query(urls.admin, text, [run]),
  );
  const [row] = await query<{ ended_at: Date | null }>(urls.admin, "select ended_at from run where id = $1", [run]);
  expect(row?.ended_at !== null).toBe(isTerminal(state.status));
});

it("stores how long each answered call of a model or a tool took, as the migration finds it in the records", async () => {
  const run = await startRun(desk, "honest", "02-outage-credit.txt");
  await drive(desk, run);
  const { records } = await readRun(desk, run);
  const times = (asked: (event: RunEvent) => string | null, answered: (event: RunEvent) => string | null) =>
    records.flatMap(({ record }) =>
      record.control.flatMap((event) => {
        const id = answered(event);
        const begun = id === null ? undefined : records.find(({ record: earlier }) => earlier.control.some((one) => asked(one) === id));

        return begun ? [record.at - begun.record.at] : [];
      }),
    );
  const models = times(
    (event) => (event.type === "budget_reserved" ? event.reservation_id : null),
    (event) => (event.type === "model_called" ? event.reservation_id : null),
  );
  const tools = times(
    (event) => (event.type === "effect_intended" ? event.effect_id : null),
    (event) => (event.type === "effect_settled" ? event.effect_id : null),
  );
  expect([models.length, tools.length].every((count) => count > 0)).toBe(true);
  const stored = [
    await query<Latency>(urls.admin, select("model_usage"), [run]),
    await query<Latency>(urls.admin, select("tool_usage"), [run]),
  ];
  expect(stored.map((rows) => rows.map(({ latency_ms: ms }) => Number(ms)))).toEqual([models, tools]);
  expect(await backfillLatency(run)).toEqual(stored);
});
