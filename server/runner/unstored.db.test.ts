import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { testInstallation } from "@/server/mcp/testing/installation";
import { LeaseLost } from "@/server/runner/commit";
import { decideCommands } from "@/server/runner/commands";
import { openRun } from "@/server/runner/open-run";
import { command, openDesk, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { drive, readRun } from "@/server/runner/testing/run";
import { holdBack, releaseLease } from "@/server/store/ledger/run-heads";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
beforeAll(async () => {
  desk = await openDesk(urls, installation);
}, 120_000);
afterAll(() => desk.mcp.close());

const commandOf = async (id: string): Promise<unknown> =>
  (await query<{ status: string }>(urls.admin, "select status from command where id = $1", [id]))[0]?.status;

it("a command with an unstorable record stays unanswered until the next runner decides it", async () => {
  const runId = await startRun(desk, "honest", "02-outage-credit.txt");
  const opened = await openRun(desk.deps, desk.workspace, runId);
  if (!opened) throw new Error("the run was not opened");
  const { session, lease } = opened;
  await decideCommands(desk.deps, session);
  await session.submit({ principal: { type: "engine", epoch: session.epoch }, body: { kind: "begin" } });
  expect(session.records().length).toBeGreaterThan(1);

  const cancel = await command(desk, runId, desk.people.starter, { kind: "cancel" });
  await query(urls.admin, "update run set lease_epoch = lease_epoch + 1, lease_until = null where id = $1", [runId]);
  await expect(decideCommands(desk.deps, session)).rejects.toThrow(LeaseLost);
  await expect(decideCommands(desk.deps, session)).rejects.toThrow(LeaseLost);
  expect(Object.keys(session.state().proposals)).not.toContain(cancel);
  expect(await commandOf(cancel)).toBe("pending");
  lease.end();

  await drive(desk, runId);
  expect(await commandOf(cancel)).toBe("accepted");
  expect((await readRun(desk, runId)).state.status).toBe("cancelled");
});

it("a run with a locked row is skipped without delaying others", async () => {
  const locked = await startRun(desk, "honest", "02-outage-credit.txt");
  const other = await startRun(desk, "honest", "02-outage-credit.txt");
  const first = await openRun(desk.deps, desk.workspace, locked);
  if (!first) throw new Error("the run was not opened");
  first.lease.end();
  await query(urls.admin, "update run set lease_until = null where id = $1", [locked]);
  const holder = new pg.Client({ connectionString: urls.admin });
  await holder.connect();
  try {
    await holder.query("begin");
    await holder.query("select 1 from run where id = $1 for update", [locked]);
    expect(await openRun(desk.deps, desk.workspace, locked)).toBeNull();
    const begin = { principal: { type: "engine", epoch: first.session.epoch }, body: { kind: "begin" } } as const;
    const stuck = first.session.submit(begin).then(
      () => "stored",
      (error: unknown) => (error instanceof Error && "code" in error ? error.code : error),
    );
    await drive(desk, other);
    expect((await readRun(desk, other)).records.length).toBeGreaterThan(5);
    // `lock_timeout`: gives up before the lease expires.
    expect(await stuck).toBe("55P03");
  } finally {
    await holder.query("rollback");
    await holder.end();
  }
});

it("slow answers to commands without a run delay no run", async () => {
  const asked = Array.from({ length: 7 }, () => randomUUID());
  const ids = await Promise.all(asked.map((run) => command(desk, run, desk.people.starter, { kind: "cancel" })));
  const runId = await startRun(desk, "honest", "02-outage-credit.txt");
  const holder = new pg.Client({ connectionString: urls.admin });
  await holder.connect();
  try {
    await holder.query("begin");
    await holder.query("select 1 from command where id = any($1) for update", [ids]);
    const slow = Promise.all(asked.map((run) => openRun(desk.deps, desk.workspace, run)));
    const opened = await openRun(desk.deps, desk.workspace, runId);
    expect(opened?.session.state().run).toBe(runId);
    opened?.lease.end();
    await holder.query("rollback");
    expect(await slow).toEqual(asked.map(() => null));
  } finally {
    await holder.end();
  }
});

it("a driven run is not held back by an earlier failed drive", async () => {
  const runId = await startRun(desk, "honest", "02-outage-credit.txt");
  const opened = await openRun(desk.deps, desk.workspace, runId);
  const heldUntil = async () =>
    (await query<{ at: Date | null }>(urls.admin, "select drive_after as at from run where id = $1", [runId]))[0]?.at;
  await holdBack(desk.workspace, runId, 600_000);
  expect(await heldUntil()).toBeNull();
  opened?.lease.end();
  await releaseLease(desk.workspace, runId, opened?.session.epoch ?? -1);
  await holdBack(desk.workspace, runId, 600_000);
  expect(await heldUntil()).toBeInstanceOf(Date);
});

it("a start of a version that does not match its hash is answered, and no run is created", async () => {
  const runId = randomUUID();
  const hash = desk.graphHash;
  const [stored] = await query<{ document: string }>(urls.admin, "select document from graph_version where hash = $1", [hash]);
  const change = (document: string) =>
    query(urls.admin, "alter table graph_version disable trigger user").then(() =>
      query(urls.admin, "update graph_version set document = $2 where hash = $1", [hash, document]),
    );
  await change("{}");
  try {
    const id = await command(desk, runId, desk.people.starter, {
      kind: "start",
      graph_hash: hash,
      goal: "",
      constraints: [],
      inputs: { mail_file: "02-outage-credit.txt" },
      model: "scripted:honest",
    });
    expect(await openRun(desk.deps, desk.workspace, runId)).toBeNull();
    expect(await commandOf(id)).toBe("refused");
  } finally {
    await change(stored?.document ?? "");
  }
});
