import { afterAll, beforeAll, expect, test } from "vitest";
import { testInstallation } from "@/server/mcp/testing/installation";
import { command, openDesk, startRun, type Desk } from "@/server/runner/testing/desk";
import { allAre, prepareFleet, listRows, startFleetChild, timesAsked, until } from "@/server/runner/testing/fleet";
import { customersOf, decisionFor, readRun } from "@/server/runner/testing/run";
import { testDatabase } from "@/server/testing/database";

/** Outlasts these tests: continuation proves a released lease. */
const LEASE_MS = 300_000;
const RUNS = 4;

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  await prepareFleet(desk);
}, 120_000);
afterAll(() => desk.mcp.close());

const manyRuns = (): Promise<string[]> => Promise.all(Array.from({ length: RUNS }, () => startRun(desk, "honest", "02-outage-credit.txt")));

const stopInTheMiddle = async (order: { drainMs: number; slowModelMs: number }) => {
  const first = await startFleetChild(desk, { leaseMs: LEASE_MS, ...order });
  const runIds = await manyRuns();
  await until("each run asks a model", () => Promise.resolve(timesAsked(first) >= RUNS), 30_000);
  first.kill("SIGTERM");
  const ended = await first.ended;

  return { runIds, first, ended, rows: await listRows(desk, runIds), states: await Promise.all(runIds.map((id) => readRun(desk, id))) };
};

test("calls under way finish and are recorded, none starts, leases are released, and another runner continues", async () => {
  const { runIds, first, ended, rows, states } = await stopInTheMiddle({ drainMs: 60_000, slowModelMs: 5_000 });
  expect(ended).toEqual({ code: 0, signal: null });
  expect(rows.map((row) => row.leased)).toEqual(runIds.map(() => false));
  for (const { state, records } of states) {
    expect(state.status).toBe("running");
    expect(records.filter(({ record }) => record.proposal_kind === "model_call").length).toBeGreaterThan(0);
    expect(Object.keys(state.reservations)).toEqual([]);
    expect(Object.values(state.effects).filter((effect) => effect.outcome === null)).toEqual([]);
  }
  expect(timesAsked(first)).toBe(RUNS);

  await startFleetChild(desk, { leaseMs: LEASE_MS });
  await allAre(desk, runIds, "waiting", 30_000);
}, 120_000);

test("overdue work is aborted as by a crash, and another runner continues from there", async () => {
  const { runIds, ended, rows, states } = await stopInTheMiddle({ drainMs: 300, slowModelMs: 60_000 });
  expect(ended).toEqual({ code: 0, signal: null });
  expect(rows.map((row) => row.leased)).toEqual(runIds.map(() => false));
  for (const { state } of states) {
    expect(state.status).toBe("running");
    expect(Object.keys(state.reservations)).not.toEqual([]);
  }

  await startFleetChild(desk, { leaseMs: LEASE_MS });
  await allAre(desk, runIds, "waiting", 30_000);
}, 120_000);

test("approvals given before and during a drain are carried out once, and the runs complete", async () => {
  const first = await startFleetChild(desk, { leaseMs: LEASE_MS, drainMs: 60_000 });
  const runIds = await manyRuns();
  await allAre(desk, runIds, "waiting", 30_000);
  const before = (await customersOf(desk)).applied;
  const approve = async (runId: string) => {
    const { state } = await readRun(desk, runId);
    await command(desk, runId, desk.people.reviewer, decisionFor(desk, state, "approve"));
  };
  await Promise.all(runIds.slice(0, RUNS / 2).map(approve));
  first.kill("SIGTERM");
  await Promise.all(runIds.slice(RUNS / 2).map(approve));
  expect(await first.ended).toEqual({ code: 0, signal: null });

  await startFleetChild(desk, { leaseMs: LEASE_MS });
  await allAre(desk, runIds, "completed", 30_000);
  expect((await customersOf(desk)).applied - before).toBe(RUNS);
}, 120_000);
