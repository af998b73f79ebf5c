import { beforeAll, afterAll, expect, test } from "vitest";
import { testInstallation } from "@/server/mcp/testing/installation";
import { command, openDesk, startRun, type Desk } from "@/server/runner/testing/desk";
import { allAre, prepareFleet, listRows, startFleetChild, startRunner, timesAsked, until } from "@/server/runner/testing/fleet";
import { customersOf, decisionFor, readRun } from "@/server/runner/testing/run";
import { testDatabase } from "@/server/testing/database";

const RUNS = 16;
const TAKEOVER_MS = 30_000;
const LEASE_MS = 10_000;

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  await prepareFleet(desk);
}, 120_000);
afterAll(() => desk.mcp.close());

const manyRuns = (): Promise<string[]> => Promise.all(Array.from({ length: RUNS }, () => startRun(desk, "honest", "02-outage-credit.txt")));

test("a runner killed with -9 amid many runs: another finishes all within 30 s, every effect once, every ledger verifies", async () => {
  const before = await customersOf(desk);
  // Silent models keep each run under way.
  const first = await startFleetChild(desk, { leaseMs: LEASE_MS, slowModelMs: TAKEOVER_MS * 10 });
  const runIds = await manyRuns();
  await until("each run asks a model", () => Promise.resolve(timesAsked(first) >= RUNS), 30_000);
  const second = await startRunner(desk);
  first.kill("SIGKILL");
  const atMs = Date.now();
  const left = await listRows(desk, runIds);
  await allAre(desk, runIds, "waiting", TAKEOVER_MS);
  expect(Date.now() - atMs).toBeLessThan(TAKEOVER_MS);
  expect(left.filter(({ status, leased }) => status === "running" && leased)).toHaveLength(RUNS);

  const third = await startRunner(desk);
  const states = await Promise.all(runIds.map((runId) => readRun(desk, runId)));
  await Promise.all(states.map(({ state }) => command(desk, state.run, desk.people.reviewer, decisionFor(desk, state, "approve"))));
  await until("some have written the customer", async () => (await customersOf(desk)).applied > before.applied, 30_000);
  second.kill("SIGKILL");
  const againMs = Date.now();
  await allAre(desk, runIds, "completed", TAKEOVER_MS);
  expect(Date.now() - againMs).toBeLessThan(TAKEOVER_MS);

  expect((await customersOf(desk)).applied - before.applied).toBe(RUNS);
  // Reading a run verifies its ledger.
  for (const runId of runIds) {
    const { state } = await readRun(desk, runId);
    const effects = Object.values(state.effects).filter(({ effect }) => effect.tool === "update_plan");
    expect(effects.map(({ outcome }) => outcome)).toEqual(["ok"]);
  }
  third.kill("SIGTERM");
  expect(await third.ended).toEqual({ code: 0, signal: null });
}, 150_000);
