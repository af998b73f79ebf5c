import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { testInstallation } from "@/server/mcp/testing/installation";
import { LeaseLost } from "@/server/runner/commit";
import { decideCommands } from "@/server/runner/commands";
import type { RunnerDeps } from "@/server/runner/deps";
import { driveRun } from "@/server/runner/drive";
import { openRun } from "@/server/runner/open-run";
import type { Session } from "@/server/runner/session";
import { openDesk, publishAs, query, type Desk } from "@/server/runner/testing/desk";
import { until } from "@/server/runner/testing/fleet";
import { quietChain, startChain } from "@/server/runner/testing/quiet-chain";
import { drive, readRun } from "@/server/runner/testing/run";
import { statementsOf } from "@/server/testing/statements";
import { testDatabase } from "@/server/testing/database";

const STEPS = 60;
const MOST_AHEAD = 16;
const DAY_MS = 86_400_000;

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
let steps: string;
let asks: string;
beforeAll(async () => {
  desk = await openDesk(urls, installation);
  steps = await publishAs(desk, quietChain(STEPS), desk.people.builder);
  asks = await publishAs(desk, quietChain(1, true), desk.people.builder);
}, 120_000);
afterAll(() => desk.mcp.close());

const begun = async (hash: string, deps: RunnerDeps = desk.deps): Promise<Session> => {
  const opened = await openRun(deps, desk.workspace, await startChain(desk, hash));
  if (!opened) throw new Error("the run was not opened");
  const { session, lease } = opened;
  onTestFinished(() => lease.end());
  await decideCommands(deps, session);
  await session.submit({ principal: { type: "engine", epoch: session.epoch }, body: { kind: "begin" } });

  return session;
};

const outcomeOf = (session: Session, action: object) => {
  const { currentNode, activation } = session.state();
  if (currentNode === null || activation === null) throw new Error("the run is at no node");

  return {
    principal: { type: "executor" as const, node: currentNode, agent: null, epoch: session.epoch },
    body: { kind: "node_result" as const, activation, actions: [action] },
  };
};

const stepAhead = (session: Session) =>
  session.submitAhead(outcomeOf(session, { type: "update_memory", updates: [{ path: "count", value: 1 }] }));

const storedOf = async (session: Session): Promise<number> => {
  const [row] = await query<{ version: number; records: number }>(
    urls.admin,
    "select version, (select count(*)::int from ledger_record where run_id = run.id) as records from run where id = $1",
    [session.state().run],
  );
  expect(row?.version).toBe(row?.records);

  return row?.version ?? -1;
};

const lockRow = async (runId: string): Promise<() => Promise<unknown>> => {
  const holder = new pg.Client({ connectionString: urls.admin });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query("begin");
  await holder.query("select 1 from run where id = $1 for update", [runId]);

  return () => holder.query("rollback");
};

it("decides sixteen records ahead, publishes none of them, and stores them together", async () => {
  const told: string[] = [];
  const session = await begun(steps, { ...desk.deps, notify: (run) => told.push(run) });
  const [before, toldBefore] = [session.state().version, told.length];
  const unlock = await lockRow(session.state().run);
  let decided = 0;
  const sent = await statementsOf(async () => {
    const going = (async () => {
      for (let step = 0; step < 40; step += 1) {
        await stepAhead(session);
        decided += 1;
      }
    })();
    await until("no more is decided", async () => decided >= MOST_AHEAD - 1, 2_000);
    for (let turns = 0; turns < 50; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(session.state().version - before).toBe(MOST_AHEAD);
    expect(session.records().length).toBe(session.state().version);
    expect([await storedOf(session), told.length]).toEqual([before, toldBefore]);
    await unlock();
    await going;
    await session.stored();
  });
  expect([await storedOf(session), told.length]).toEqual([before + 40, toldBefore + 40]);
  expect(sent.filter((text) => text.includes("INSERT INTO ledger_record")).length).toBeLessThan(30);
  expect((await readRun(desk, session.state().run)).state.head).toBe(session.state().head);
});

it("stores nothing decided ahead after losing the lease, and stops", async () => {
  const session = await begun(steps);
  const before = session.state().version;
  await query(urls.admin, "update run set lease_epoch = lease_epoch + 1 where id = $1", [session.state().run]);
  const ahead = await Promise.allSettled([stepAhead(session), session.stored()]);
  expect(ahead.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  await expect(session.stored()).rejects.toThrow(LeaseLost);
  await expect(stepAhead(session)).rejects.toThrow(LeaseLost);
  expect(await storedOf(session)).toBe(before);
});

it("stores what precedes a record that the database refuses, nothing after it, and reports why", async () => {
  const session = await begun(steps);
  const { run, version } = session.state();
  const unlock = await lockRow(run);
  await query(
    urls.admin,
    "insert into ledger_record (workspace_id, run_id, seq, body, digest, kid, signature) values ($1, $2, $3, '{}', '', '', '')",
    [desk.workspace, run, version + 2],
  );
  for (let step = 0; step < 6; step += 1) await stepAhead(session);
  await unlock();
  await expect(session.stored()).rejects.toMatchObject({ code: "23505" });
  const [row] = await query<{ version: number }>(urls.admin, "select version from run where id = $1", [run]);
  expect(row?.version).toBe(version + 2);
});

it("decides a repeated command once, however many records are pending", async () => {
  const session = await begun(steps);
  const principal = { type: "user", id: desk.people.starter, role: "builder", auditor: false } as const;
  const cancel = { principal, body: { kind: "cancel" }, command: randomUUID() } as const;
  const ahead = stepAhead(session);
  const [first, second] = await Promise.all([session.submit(cancel), session.submit(cancel)]);
  await ahead;
  expect([first.verdict.ok, second.verdict]).toMatchObject([true, { ok: false, refusal: { code: "duplicate_decision" } }]);
});

it("stores a record with further rows separately from the previous one, whose row it needs", async () => {
  let lateMs = 0;
  const session = await begun(asks, { ...desk.deps, clock: { ...desk.deps.clock, now: () => desk.deps.clock.now() + lateMs } });
  const unlock = await lockRow(session.state().run);
  await stepAhead(session);
  const opening = session.submitAhead(outcomeOf(session, { type: "request_human_input", prompt: "Go on?" }));
  await until("the gate is decided", async () => session.state().status === "waiting", 2_000);
  lateMs = 30 * DAY_MS;
  const [gate] = Object.keys(session.state().gates);
  const expiring = session.submit({
    principal: { type: "engine", epoch: session.epoch },
    body: { kind: "expire", approval_id: gate ?? "" },
  });
  await opening;
  await unlock();
  expect((await expiring).verdict.ok).toBe(true);
  const rows = await query<{ status: string }>(urls.admin, "select status from approval where id = $1", [gate]);
  expect(rows).toEqual([{ status: "expired" }]);
});

it("stops when its runner is told to, releasing the run with all decisions stored", async () => {
  const runId = await startChain(desk, steps);
  const [asked, overdue] = [new AbortController(), new AbortController()];
  let told = 0;
  const notify = () => {
    told += 1;
    if (told === 10) asked.abort();
  };
  const stop = { asked: asked.signal, overdue: overdue.signal };
  expect(await driveRun({ ...desk.deps, notify, stop }, { onWake: () => () => undefined }, desk.workspace, runId)).toBe("put_down");
  const { state, records } = await readRun(desk, runId);
  expect(records.length).toBeGreaterThanOrEqual(10);
  expect(records.length).toBeLessThan(10 + 2 * MOST_AHEAD);
  const [row] = await query<{ version: number; lease: Date | null }>(
    urls.admin,
    "select version, lease_until as lease from run where id = $1",
    [runId],
  );
  expect(row).toEqual({ version: state.version, lease: null });
  await drive(desk, runId);
  expect((await readRun(desk, runId)).state.status).toBe("completed");
});
