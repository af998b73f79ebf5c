import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { toCanonicalJson } from "@/lib/json";
import { testInstallation } from "@/server/mcp/testing/installation";
import { driveRun, type Wakeups } from "@/server/runner/drive";
import { openRun } from "@/server/runner/open-run";
import { LeaseLost } from "@/server/runner/commit";
import { command, openDesk, publishAs, query, type Desk } from "@/server/runner/testing/desk";
import { quietChain, startChain } from "@/server/runner/testing/quiet-chain";
import { drive, readRun } from "@/server/runner/testing/run";
import { joinLines, toIntArray, toLines } from "@/server/store/sql/array-text";
import { takeLease } from "@/server/store/ledger/run-heads";
import { statementsOf } from "@/server/testing/statements";
import { testDatabase } from "@/server/testing/database";

const RUNS = 10;
// More than are decided ahead of the database.
const STEPS = 100;

const urls = await testDatabase("runner");
const installation = await testInstallation();
const asleep: Wakeups = { onWake: () => () => undefined };
let desk: Desk;
let hash: string;

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  hash = await publishAs(desk, quietChain(STEPS), desk.people.builder);
}, 120_000);
afterAll(() => desk.mcp.close());

const start = (): Promise<string> => startChain(desk, hash);

const starts = (count: number): Promise<string[]> => Promise.all(Array.from({ length: count }, start));

const driveAll = (runs: readonly string[]) => Promise.allSettled(runs.map((run) => driveRun(desk.deps, asleep, desk.workspace, run)));

it("stores many runs' records with fewer statements than records, and each ledger is complete", async () => {
  const runs = await starts(RUNS);
  const sent = await statementsOf(async () => {
    await driveAll(runs);
  });
  const appends = sent.filter((text) => text.includes("INSERT INTO ledger_record")).length;
  expect(appends).toBeLessThan(0.9 * RUNS * (STEPS + 2));
  for (const run of runs) {
    const { state, records } = await readRun(desk, run);
    expect([state.status, records.length]).toEqual(["completed", STEPS + 2]);
  }
});

const firstRecords = async (before: (run: string) => Promise<unknown>) => {
  const runs = await starts(6);
  const opened = await Promise.all(runs.map((run) => openRun(desk.deps, desk.workspace, run)));
  const [odd = "", ...others] = runs;
  await before(odd);
  const begin = { principal: { type: "engine", epoch: 1 }, body: { kind: "begin" } } as const;
  const [outcome, ...outcomes] = await Promise.allSettled(opened.map(async (one) => one?.session.submit(begin)));
  const stored = await query<{ id: string }>(urls.admin, "select id from run where id = any($1) and version = 1", [runs]);

  return { outcome, outcomes, others: others.toSorted(), stored: stored.map(({ id }) => id).toSorted() };
};

it("isolates each run from others stored with it", async () => {
  const { outcome, outcomes, others, stored } = await firstRecords((run) =>
    query(
      urls.admin,
      "insert into ledger_record (workspace_id, run_id, seq, body, digest, kid, signature) values ($1, $2, 0, '{}', '', '', '')",
      [desk.workspace, run],
    ),
  );
  expect(outcome).toMatchObject({ status: "rejected", reason: { code: "23505" } });
  expect(outcomes.every(({ status }) => status === "fulfilled")).toBe(true);
  expect(stored).toEqual(others);
});

it("writes nothing for a run whose lease is lost, and everything for others stored with it", async () => {
  const { outcome, outcomes, others, stored } = await firstRecords((run) =>
    query(urls.admin, "update run set lease_epoch = lease_epoch + 1 where id = $1", [run]),
  );
  expect(outcome).toMatchObject({ status: "rejected", reason: new LeaseLost() });
  expect(outcomes.every(({ status }) => status === "fulfilled")).toBe(true);
  expect(stored).toEqual(others);
});

it("sees a command arriving during work without a separate query", async () => {
  const runId = await start();
  let asked = false;
  const sent = await statementsOf(() =>
    driveRun(
      {
        ...desk.deps,
        notify: (run) => {
          if (asked) return;
          asked = true;
          void command(desk, run, desk.people.starter, { kind: "cancel" });
        },
      },
      asleep,
      desk.workspace,
      runId,
    ),
  );
  const { state, records } = await readRun(desk, runId);
  expect(state.status).toBe("cancelled");
  expect(records.length).toBeLessThan(STEPS + 2);
  expect(sent.filter((text) => text.includes("from command")).length).toBeLessThan(8);
  await drive(desk, runId);
});

it("sends every JSON text, digest and number as Postgres reads it", async () => {
  const generated = fc.sample(fc.string({ unit: "grapheme-composite" }), { numRuns: 200, seed: 1 });
  const texts = ['"', "\\", '\\"', "{a,b}", "NULL", "\n\t\0", "\u007f\u2028", "'", "", ...generated].flatMap((text) => [
    toCanonicalJson(text),
    toCanonicalJson({ [text]: [text, 1] }),
  ]);
  const [row] = await query<object>(
    urls.admin,
    `select string_to_array($1::text, E'\\n') as texts, string_to_array($2::text, E'\\n') as bytes, string_to_array($3::text, E'\\n') as none,
     $4::int[] as numbers, $5::int[] as no_numbers`,
    [toLines(texts), joinLines(texts.map((text) => Buffer.from(text))), toLines([]), toIntArray([0, 17, -1]), toIntArray([])],
  );
  expect(row).toEqual({ texts, bytes: texts, none: [], numbers: [0, 17, -1], no_numbers: [] });
});

it("gives the lease of a run to one of those that ask at once", async () => {
  const runs = await starts(3);
  await driveAll(runs);
  const taken = await Promise.all([...runs, ...runs].map((run) => takeLease(desk.workspace, run, 60_000)));
  expect(taken.map((head) => head?.id ?? null)).toEqual([...runs, null, null, null]);
});
