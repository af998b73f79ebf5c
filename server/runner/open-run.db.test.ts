import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GENESIS_PARENT } from "@/lib/engine/state";
import { testInstallation } from "@/server/mcp/testing/installation";
import type { RunnerDeps } from "@/server/runner/deps";
import { openRun } from "@/server/runner/open-run";
import { command, openDesk, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { emptyRun, recordedRun } from "@/server/runner/testing/recorded";
import { drive, readRun } from "@/server/runner/testing/run";
import { rotateBatch } from "@/server/runner/rotation";
import { createVault } from "@/server/security/vault";
import { startRotation } from "@/server/store/ledger/cells-rotation";
import { setFrozen } from "@/server/store/ledger/run-heads";
import { testDatabase } from "@/server/testing/database";

const MAIL = "02-outage-credit.txt";
const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
beforeAll(async () => {
  desk = await openDesk(urls, installation);
}, 120_000);
afterAll(() => desk.mcp.close());

const frozenOf = async (runId: string) =>
  (await query<{ frozen: string | null; version: number }>(urls.admin, "select frozen, version from run where id = $1", [runId]))[0];
const statusOf = async (id: string): Promise<string | undefined> =>
  (await query<{ status: string }>(urls.admin, "select status from command where id = $1", [id]))[0]?.status;
const start = (runId: string, graphHash = desk.graphHash) =>
  command(desk, runId, desk.people.starter, {
    kind: "start",
    graph_hash: graphHash,
    goal: "",
    constraints: [],
    inputs: { mail_file: MAIL },
    model: "scripted:honest",
  });
const cancel = (runId: string) => command(desk, runId, desk.people.starter, { kind: "cancel" });
const leaseIsOver = (runId: string) =>
  query(urls.admin, "update run set lease_until = now() - interval '1 second' where id = $1 and lease_until is not null", [runId]);

const stoppedAfterLease = (meanwhile: () => Promise<void>): RunnerDeps => ({
  ...desk.deps,
  publicKeys: async () => {
    await meanwhile();

    return desk.deps.publicKeys();
  },
});

describe("a runner paused between taking the lease and reading the records", () => {
  it("freezes nothing that another continued, and refuses no command", async () => {
    const runId = await recordedRun(desk);
    let asked = "";
    const deps = stoppedAfterLease(async () => {
      await leaseIsOver(runId);
      await drive(desk, runId);
      asked = await cancel(runId);
    });
    expect(await openRun(deps, desk.workspace, runId)).toBeNull();
    const row = await frozenOf(runId);
    expect(row?.version).toBeGreaterThan(5);
    expect(row?.frozen).toBeNull();
    expect(await statusOf(asked)).toBe("pending");

    await drive(desk, runId);
    expect(await statusOf(asked)).toBe("accepted");
    expect((await readRun(desk, runId)).state.status).toBe("cancelled");
  });

  it("neither lifts nor sets the frozen state of the current lease holder", async () => {
    const runId = await recordedRun(desk);
    const deps = stoppedAfterLease(async () => {
      await query(urls.admin, "update run set lease_epoch = lease_epoch + 1, frozen = 'hash at record 0' where id = $1", [runId]);
    });
    const opened = await openRun(deps, desk.workspace, runId);
    opened?.lease.end();
    expect((await frozenOf(runId))?.frozen).toBe("hash at record 0");
    expect(await setFrozen(desk.workspace, runId, 2, "link at record 0")).toBe(false);
    expect(await setFrozen(desk.workspace, runId, 3, "link at record 0")).toBe(true);
    expect((await frozenOf(runId))?.frozen).toBe("link at record 0");
  });
});

describe("a run that has not started", () => {
  it("is opened without reading its ledger", async () => {
    const deps = stoppedAfterLease(() => Promise.reject(new Error("the keys were asked for")));
    const opened = await openRun(deps, desk.workspace, await emptyRun(desk));
    expect(opened?.session.state()).toMatchObject({ version: 0, head: GENESIS_PARENT, status: "pending" });
    opened?.lease.end();
  });

  it.each([
    [
      "records of it are there",
      "insert into ledger_record (workspace_id, run_id, seq, body, digest, kid, signature) select workspace_id, id, 0, '{}', '', '', '' from run where id = $1",
    ],
    ["its head says that there were some", "update run set head = repeat('0', 64) where id = $1"],
  ])("is frozen when %s", async (_what, tamper) => {
    const runId = await emptyRun(desk);
    await query(urls.admin, tamper, [runId]);
    expect(await openRun(desk.deps, desk.workspace, runId)).toBeNull();
    expect((await frozenOf(runId))?.frozen).toMatch(/ at record 0$/);
  });
});

const atOnce = (sql: string, values: readonly string[]): void => {
  const program = `import pg from "pg";
    const client = new pg.Client({ connectionString: process.argv[1] });
    await client.connect();
    await client.query(process.argv[2], process.argv.slice(3));
    await client.end();`;
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program, urls.admin, sql, ...values]);
  expect(`${status} ${stderr.toString()}`).toBe("0 ");
};

const whileLooking = (happens: () => void): RunnerDeps => {
  let looked = false;

  return {
    ...desk.deps,
    vault: {
      ...desk.deps.vault,
      openCommand: (...of) => {
        if (!looked) happens();
        looked = true;

        return desk.deps.vault.openCommand(...of);
      },
    },
  };
};

describe("a start", () => {
  const minuteAgo = (id: string) => query(urls.admin, "update command set created_at = now() - interval '1 minute' where id = $1", [id]);

  it("creates the run even after another command for it", async () => {
    const runId = randomUUID();
    const early = await cancel(runId);
    await minuteAgo(early);
    const asked = await start(runId);
    await drive(desk, runId);
    expect(await statusOf(early)).toBe("refused");
    expect(await statusOf(asked)).toBe("accepted");
    expect((await readRun(desk, runId)).records.length).toBeGreaterThan(5);
  });

  it("creates the run even after an invalid start", async () => {
    const runId = randomUUID();
    const early = await start(runId, "sha256:".padEnd(71, "0"));
    await minuteAgo(early);
    const asked = await start(runId);
    await drive(desk, runId);
    expect(await statusOf(early)).toBe("refused");
    expect(await statusOf(asked)).toBe("accepted");
  });

  it("arriving when the run was just found missing is not answered with earlier commands", async () => {
    const runId = randomUUID();
    const early = await cancel(runId);
    const asked = await start(runId);
    await query(urls.admin, "update command set run_id = $2 where id = $1", [asked, randomUUID()]);
    const deps = whileLooking(() => atOnce("update command set run_id = $2 where id = $1", [asked, runId]));
    expect(await openRun(deps, desk.workspace, runId)).toBeNull();
    expect(await statusOf(early)).toBe("refused");
    expect(await statusOf(asked)).toBe("pending");

    await drive(desk, runId);
    expect(await statusOf(asked)).toBe("accepted");
  });
});

it("a command to a run that another runner is creating is decided by the run", async () => {
  const runId = randomUUID();
  const asked = await cancel(runId);
  const make = `insert into run (workspace_id, id, graph_id, graph_hash, initiator_id, status, version, head, created_at, updated_at)
    select workspace_id, $1, graph_id, graph_hash, initiator_id, 'pending', 0, $2, now(), now() from run limit 1`;
  await drive(desk, await startRun(desk, "honest", MAIL));
  const opened = await openRun(
    whileLooking(() => atOnce(make, [runId, GENESIS_PARENT])),
    desk.workspace,
    runId,
  );
  opened?.lease.end();
  expect(opened?.session.state().run).toBe(runId);
  expect(await statusOf(asked)).toBe("pending");
});

it("a runner with a pre-rotation key file freezes nothing it cannot open; one with every key does", async () => {
  const runId = await startRun(desk, "honest", MAIL);
  await drive(desk, runId);
  const rotated = createVault(`1 ${desk.keys.vault}\n2 ${"b".repeat(64)}\n`);
  await startRotation(2);
  while ((await rotateBatch(rotated)) === "more");
  await expect(openRun(desk.deps, desk.workspace, runId)).rejects.toThrow("vault key");
  expect((await frozenOf(runId))?.frozen).toBeNull();
  const opened = await openRun({ ...desk.deps, vault: rotated }, desk.workspace, runId);
  expect(opened?.session.state().status).toBe("waiting");
  opened?.lease.end();
  await leaseIsOver(runId);

  const other = createVault(`1 ${desk.keys.vault}\n2 ${"c".repeat(64)}\n`);
  expect(await openRun({ ...desk.deps, vault: other }, desk.workspace, runId)).toBeNull();
  expect((await frozenOf(runId))?.frozen).toMatch(/^cell_unreadable at record/u);
});
