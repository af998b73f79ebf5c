import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import type { SignedRecord } from "@/lib/engine/ledger/record";
import { testInstallation } from "@/server/mcp/testing/installation";
import { command, openDesk, startRun, type Desk } from "@/server/runner/testing/desk";
import { allAre, isPaused, prepareFleet, startFleetChild, until, type RunnerProcess } from "@/server/runner/testing/fleet";
import { customersOf, decisionFor, drive, readRun } from "@/server/runner/testing/run";
import { testDatabase } from "@/server/testing/database";

const LEASE_MS = 1_500;
const MAIL = "02-outage-credit.txt";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
let honest: { readonly records: readonly SignedRecord[]; readonly asked: number };

const approve = async (runId: string): Promise<void> => {
  const { state } = await readRun(desk, runId);
  await command(desk, runId, desk.people.reviewer, decisionFor(desk, state, "approve"));
};

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  await prepareFleet(desk);
  const runId = await startRun(desk, "honest", MAIL);
  await drive(desk, runId);
  const asked = (await readRun(desk, runId)).records.length;
  await approve(runId);
  await drive(desk, runId);
  honest = { records: (await readRun(desk, runId)).records, asked };
}, 120_000);
afterAll(() => desk.mcp.close());

const writeIntent = (): number => {
  const seq = honest.records.findIndex(({ record }) => record.seq >= honest.asked && record.proposal_kind === "effect_intent");

  return seq - honest.asked + 1;
};

const linesOf = (runner: RunnerProcess) =>
  runner
    .said()
    .split("\n")
    .filter((line) => line.startsWith('{"signed"') || line.startsWith('{"called"') || line.startsWith('{"asked"'))
    .map((line) => z.object({ signed: z.string().optional(), called: z.string().optional() }).parse(JSON.parse(line)));

const pausedAt = async (stop: { at: "before_store" | "after_store"; record: number }) => {
  const runId = await startRun(desk, "honest", MAIL);
  await drive(desk, runId);
  await approve(runId);
  const before = await customersOf(desk);
  const first = await startFleetChild(desk, { leaseMs: LEASE_MS, stop });
  await until("the first runner has stopped itself", () => isPaused(first.pid), 30_000);
  const { state } = await readRun(desk, runId);

  return { runId, first, applied: before.applied, version: state.version };
};

/** The other runner has ended, so further drives are the paused one's. */
const isHealthy = async (first: RunnerProcess): Promise<void> => {
  const other = await startRun(desk, "honest", MAIL);
  await allAre(desk, [other], "waiting", 30_000);
  first.kill("SIGTERM");
  expect(await first.ended).toEqual({ code: 0, signal: null });
};

test("paused between intent and call: makes no call, commits nothing, and continues with other runs", async () => {
  const { runId, first, applied, version } = await pausedAt({ at: "after_store", record: writeIntent() });
  expect((await customersOf(desk)).applied).toBe(applied);
  const second = await startFleetChild(desk, { leaseMs: LEASE_MS });
  await allAre(desk, [runId], "completed", 30_000);
  const { records } = await readRun(desk, runId);
  second.kill("SIGTERM");
  await second.ended;

  const before = linesOf(first);
  first.kill("SIGCONT");
  await isHealthy(first);

  const after = await readRun(desk, runId);
  expect(after.records).toEqual(records);
  expect(records.length).toBeGreaterThan(version);
  expect((await customersOf(desk)).applied).toBe(applied + 1);
  expect(before.filter(({ called }) => called === "update_plan")).toEqual([]);
  expect(linesOf(first).filter(({ called }) => called === "update_plan")).toEqual([]);
}, 120_000);

test("paused before storing a record that another runner then stores: only one record of that version exists", async () => {
  const { runId, first, applied, version } = await pausedAt({ at: "before_store", record: writeIntent() });
  const [theirs] = linesOf(first)
    .flatMap(({ signed }) => signed ?? [])
    .slice(-1);
  const second = await startFleetChild(desk, { leaseMs: LEASE_MS });
  await allAre(desk, [runId], "completed", 30_000);
  second.kill("SIGTERM");
  await second.ended;
  const { records } = await readRun(desk, runId);

  first.kill("SIGCONT");
  await isHealthy(first);

  // Both signed this version; the lease holder's was stored.
  const stored = records[version];
  expect(stored?.record.proposal_kind).toBe("effect_intent");
  expect(theirs).toMatch(/^[0-9a-f]{64}$|^sha256/u);
  expect(stored?.digest).not.toBe(theirs);
  expect(linesOf(second).map(({ signed }) => signed)).toContain(stored?.digest);
  const after = await readRun(desk, runId);
  expect(after.records).toEqual(records);
  expect(after.records.map(({ digest }) => digest)).not.toContain(theirs);
  expect((await customersOf(desk)).applied).toBe(applied + 1);
}, 120_000);
