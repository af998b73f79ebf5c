import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { AppError } from "@/lib/errors";
import { useDatabase } from "@/server/db/client";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { openDesk, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { forkRun } from "@/server/runner/testing/fork";
import { drive } from "@/server/runner/testing/run";
import { callerAs } from "@/server/testing/caller";
import { testDatabase } from "@/server/testing/database";

const FORKED_AT = 4;

const urls = await testDatabase("runner");
const installation = await testInstallation();
vi.stubEnv("COUNTERSIGN_HOME", installation.home);

let desk: Desk;
let run: string;
let fork: string;
let records: number;

const stateOf = (id: string, seq?: number) =>
  callerAs(desk.workspace, "builder").runs.state({ runId: id, ...(seq === undefined ? {} : { seq }) });

const refusalOf = (id: string, seq?: number): Promise<string> =>
  stateOf(id, seq).then(
    () => "none",
    (error: unknown) => {
      const cause = error instanceof Error ? error.cause : null;

      return cause instanceof AppError ? (cause.refusal ?? cause.code) : "none";
    },
  );

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  await mkdir(path.join(installation.home, "keys"), { recursive: true });
  await writeFile(path.join(installation.home, "keys", "vault.key"), desk.keys.vault, { mode: 0o600 });
  run = await startRun(desk, "honest", "02-outage-credit.txt");
  await drive(desk, run);
  ({ run: fork } = await forkRun(desk, run, FORKED_AT, { type: "none" }));
  await drive(desk, fork);
  const [head] = await query<{ version: number }>(urls.admin, "select version from run where id = $1", [run]);
  records = head?.version ?? 0;
  for (const table of ["ledger_record", "cell"]) await asAdmin(urls.admin, `alter table ${table} disable trigger insert_only`);
  await useDatabase(urls.web);
}, 120_000);
afterAll(() => desk.mcp.close());

test("the state at a record contains nothing later", async () => {
  const [first, middle, last] = [await stateOf(run, 0), await stateOf(run, FORKED_AT), await stateOf(run, records - 1)];

  expect(first).toMatchObject({ status: "scheduled", visited_nodes: [], waiting_for: null });
  expect(middle.visited_nodes.length).toBeGreaterThan(0);
  expect(middle.visited_nodes.length).toBeLessThan(last.visited_nodes.length);
  expect(last.visited_nodes.slice(0, middle.visited_nodes.length)).toEqual(middle.visited_nodes);
  expect(last).toEqual(await stateOf(run));
  expect(await stateOf(run, records + 100)).toEqual(last);
});

test("a fork equals its parent until their first difference", async () => {
  const { created_at: _created, ...parent } = await stateOf(run, FORKED_AT - 1);

  expect(await stateOf(fork, FORKED_AT - 1)).toMatchObject(parent);
  expect(await stateOf(fork, FORKED_AT)).toMatchObject({ run_id: fork });
});

const during = async <T>(table: "ledger_record" | "cell", sql: string, ask: () => Promise<T>): Promise<T> => {
  await asAdmin(urls.admin, `create table kept as table ${table}`);
  try {
    await asAdmin(urls.admin, sql, [run, FORKED_AT]);

    return await ask();
  } finally {
    await asAdmin(urls.admin, `delete from ${table}`);
    await asAdmin(urls.admin, `insert into ${table} select * from kept`);
    await asAdmin(urls.admin, "drop table kept");
  }
};

test.each([
  ["ledger_record", "update ledger_record set body = replace(body, '\"at\":1', '\"at\":2') where run_id = $1 and seq = $2"],
  ["ledger_record", "update ledger_record set signature = reverse(signature) where run_id = $1 and seq = $2"],
  ["ledger_record", "update ledger_record set digest = repeat('0', 64) where run_id = $1 and seq = $2"],
  ["ledger_record", "update ledger_record set kid = 'another' where run_id = $1 and seq = $2"],
  ["ledger_record", "delete from ledger_record where run_id = $1 and seq = $2"],
  ["ledger_record", "delete from ledger_record where run_id = $1 and seq >= $2"],
  ["cell", "update cell set label = label || ' ' where run_id = $1 and seq < $2"],
  ["cell", "delete from cell where run_id = $1 and seq < $2"],
] as const)("a %s changed after verification is detected: %s", async (table, sql) => {
  expect(await refusalOf(run)).toBe("none");
  expect(await refusalOf(run, FORKED_AT + 1)).toBe("none");
  const found = await during(table, sql, async () => [
    await refusalOf(run),
    await refusalOf(run, FORKED_AT),
    await refusalOf(run, FORKED_AT + 1),
  ]);
  expect(found).toEqual(["run_frozen", "run_frozen", "run_frozen"]);
  expect(await refusalOf(run)).toBe("none");
});
