import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { isTerminal } from "@/lib/engine/event";
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

const backfill = async (): Promise<string> => {
  const sql = await readFile("prisma/migrations/0095_usage/migration.sql", "utf8");

  const { columns = "", select = "" } = /INSERT INTO "model_usage" \((?<columns>[^)]*)\)\n(?<select>SELECT.*?);/su.exec(sql)?.groups ?? {};

  return `with found (${columns}) as (${select} and l.run_id = $1) select * from found order by seq, index`;
};

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
  expect(rows).toEqual(await query(urls.admin, await backfill(), [run]));
  const [row] = await query<{ ended_at: Date | null }>(urls.admin, "select ended_at from run where id = $1", [run]);
  expect(row?.ended_at !== null).toBe(isTerminal(state.status));
});
