import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ShredCommand } from "@/lib/engine/ledger/shred";
import { verifyLedger, type Verification } from "@/lib/engine/verify/verify";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { recordAttempts } from "@/server/runner/attempts";
import { takeCheckpoint } from "@/server/runner/checkpoint";
import { auditWorkspace } from "@/server/runner/audit";
import { openLedger } from "@/server/runner/load";
import { addMember, command, openDesk, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { ask, decisionFor, drive, readRun } from "@/server/runner/testing/run";
import { outcomeSchema, type CommandOutcome } from "@/server/store/runs/commands";
import { listPublicKeys } from "@/server/security/trust-anchor";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
let auditor: string;
const MAIL = "02-outage-credit.txt";

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  auditor = await addMember(desk, "admin", { auditor: true, name: "Auditor" });
}, 120_000);
afterAll(() => desk.mcp.close());

const shred = async (
  runId: string,
  scope: ShredCommand["scope"],
  userId = auditor,
  reason: ShredCommand["reason"] = "erasure_request",
): Promise<CommandOutcome> => {
  const ledger = getWorkspaceLedgerId(desk.workspace);
  const id = await command(desk, ledger, userId, { kind: "shred", run: runId, scope, reason } satisfies ShredCommand);
  await recordAttempts(desk.deps, desk.workspace, ledger);
  const [row] = await query<{ outcome: unknown }>(urls.admin, "select outcome from command where id = $1", [id]);

  return outcomeSchema.parse(row?.outcome);
};

const ledgerOf = async (run: string) => {
  const [head] = await query<{ version: number; head: string }>(urls.admin, "select version, head from run where id = $1", [run]);

  return openLedger(desk.deps.vault, { workspaceId: desk.workspace, runId: run, version: head?.version ?? 0, digest: head?.head ?? "" });
};
const verify = async (run: string): Promise<Verification> => verifyLedger(await ledgerOf(run), await listPublicKeys());

const finished = async (): Promise<string> => {
  const run = await startRun(desk, "honest", MAIL);
  await drive(desk, run);
  const { state } = await readRun(desk, run);
  await ask(desk, run, desk.people.reviewer, decisionFor(desk, state, "approve"));

  return run;
};
const sealedOf = (run: string) =>
  query<{ seq: number; index: number; path: string; bytes: number }>(
    urls.admin,
    "select seq, index, path, octet_length(sealed) + octet_length(wrapped_key) as bytes from cell where run_id = $1 order by seq, index",
    [run],
  );

describe("shredding", () => {
  it("a whole run destroys every key and content, and the run still opens and verifies", async () => {
    const run = await finished();
    const before = await verify(run);
    const other = await finished();
    expect(await shred(run, { type: "run" })).toMatchObject({ refusal: null });
    const cells = await sealedOf(run);
    expect(cells.every(({ bytes }) => bytes === 0)).toBe(true);
    expect(await verify(run)).toMatchObject({
      ok: true,
      records: before.ok && before.records,
      cellsShredded: cells.length,
      cellsOpened: 0,
    });
    expect((await readRun(desk, run)).state.status).toBe("completed");
    expect(await verify(other)).toMatchObject({ ok: true, cellsShredded: 0 });
  });

  it("a path destroys the values at and below it, with author and reason", async () => {
    const run = await finished();
    const { seq } = await shred(run, { type: "path", path: "request" }, auditor, "retention_over");
    const cells = await sealedOf(run);
    const gone = cells.filter(({ bytes }) => bytes === 0);
    expect(gone.length).toBeGreaterThan(0);
    expect(gone.every(({ path }) => path === "request" || path.startsWith("request."))).toBe(true);
    expect(cells.filter(({ path }) => path === "request").every(({ bytes }) => bytes === 0)).toBe(true);
    expect(await verify(run)).toMatchObject({ ok: true, cellsShredded: gone.length, cellsOpened: cells.length - gone.length });
    const tombstones = await query(urls.admin, "select seq, index, user_id, reason, record_seq from cell_tombstone where run_id = $1", [
      run,
    ]);
    expect(tombstones).toHaveLength(gone.length);
    for (const tombstone of tombstones) expect(tombstone).toMatchObject({ user_id: auditor, reason: "retention_over", record_seq: seq });
  });

  it("one cell destroys that one; a missing cell is refused on record", async () => {
    const run = await finished();
    expect(await shred(run, { type: "cell", seq: 0, index: 0 })).toMatchObject({ refusal: null });
    expect((await sealedOf(run)).filter(({ bytes }) => bytes === 0)).toHaveLength(1);
    for (const scope of [
      { type: "cell", seq: 0, index: 0 },
      { type: "path", path: "nowhere" },
    ] as const) {
      expect(await shred(run, scope)).toMatchObject({ refusal: { code: "not_found" } });
    }
    expect(await shred(randomUUID(), { type: "run" })).toMatchObject({ refusal: { code: "not_found" } });
  });

  it("requires admin and auditor, and is otherwise refused on record", async () => {
    const run = await finished();
    const onlyAuditor = await addMember(desk, "viewer", { auditor: true });
    for (const who of [desk.people.admin, desk.people.builder, desk.people.reviewer, onlyAuditor]) {
      const outcome = await shred(run, { type: "run" }, who);
      expect(outcome).toMatchObject({ refusal: { code: "role_missing" } });
      const [stored] = await query<{ body: string }>(urls.admin, "select body from ledger_record where run_id = $1 and seq = $2", [
        getWorkspaceLedgerId(desk.workspace),
        outcome.seq,
      ]);
      expect(JSON.parse(stored?.body ?? "")).toMatchObject({
        kind: "refusal",
        proposal_kind: "shred",
        principal: { id: who },
        control: [],
      });
    }
    expect((await sealedOf(run)).every(({ bytes }) => bytes > 0)).toBe(true);
  });

  it("more cells than a record holds takes several records and one answer", async () => {
    const run = await finished();
    const label = '{"confidentiality":"public","integrity":"trusted","provenance":[]}';
    await asAdmin(
      urls.admin,
      `insert into cell (workspace_id, run_id, seq, index, path, label, commitment, sealed, wrapped_key)
       select $1::uuid, $2::uuid, 0, n, 'x', $3, '', '\\x01'::bytea, '\\x01'::bytea from generate_series(100, 2299) as n`,
      [desk.workspace, run, label],
    );
    const cells = await sealedOf(run);
    await shred(run, { type: "run" });
    expect((await sealedOf(run)).every(({ bytes }) => bytes === 0)).toBe(true);
    const records = await query(urls.admin, "select distinct record_seq from cell_tombstone where run_id = $1", [run]);
    expect(records).toHaveLength(Math.ceil(cells.length / 1_000));
  });
});

describe("a run with shredded values", () => {
  it("ends on record while waiting, also under a running runner", async () => {
    const run = await startRun(desk, "honest", MAIL);
    await drive(desk, run);
    expect((await readRun(desk, run)).state.status).toBe("waiting");
    const [held] = await query<{ lease_epoch: number }>(urls.admin, "select lease_epoch from run where id = $1", [run]);
    await shred(run, { type: "path", path: "request" });
    const [fenced] = await query<{ lease_epoch: number }>(urls.admin, "select lease_epoch from run where id = $1", [run]);
    expect(fenced?.lease_epoch).toBe((held?.lease_epoch ?? 0) + 1);
    expect(await query(urls.admin, "select 1 from run where id = $1 and wake_at <= now()", [run])).toHaveLength(1);
    await drive(desk, run);
    const { state, records } = await readRun(desk, run);
    expect(state.status).toBe("cancelled");
    expect(Object.values(state.gates).map(({ status }) => status)).toEqual(["void"]);
    expect(records.at(-1)?.record).toMatchObject({ proposal_kind: "stop", principal: { type: "engine" } });
    expect(records.at(-1)?.record.control.at(-1)).toMatchObject({ to: "cancelled", reason: "value_shredded" });
    expect(await query(urls.admin, "select status, frozen from run where id = $1", [run])).toEqual([{ status: "cancelled", frozen: null }]);
    expect(await query(urls.admin, "select 1 from approval where run_id = $1 and status = 'open'", [run])).toEqual([]);
    expect(await ask(desk, run, desk.people.builder, { kind: "cancel" })).toMatchObject({ refusal: { code: "run_finished" } });
    expect(await verify(run)).toMatchObject({ ok: true });
  });

  it("as a fork with another prompt keeps the prompt, which names what it executed", async () => {
    const run = await finished();
    const fork = randomUUID();
    const change = { type: "prompt", agent: "planner", system_prompt: "Plan nothing." } as const;
    const body = { kind: "fork", run: fork, parent_run: run, parent_seq: 5, change, effects: "simulate" } as const;
    expect(await ask(desk, run, desk.people.starter, body)).toMatchObject({ refusal: null });
    await drive(desk, fork);
    await shred(fork, { type: "run" });
    expect((await sealedOf(fork)).filter(({ bytes }) => bytes > 0).map(({ path }) => path)).toEqual(["$prompt.planner"]);
    await shred(run, { type: "cell", seq: 0, index: 0 });
    await ask(desk, fork, desk.people.builder, { kind: "cancel" });
    const [row] = await query<{ frozen: string | null }>(urls.admin, "select frozen from run where id = $1", [fork]);
    expect(row?.frozen ?? "").not.toContain("graph");
  });

  it("cannot be forked where they are needed, and its forks show them as shredded", async () => {
    const run = await finished();
    const at = 5;
    const fork = (id: string) =>
      ({ kind: "fork", run: id, parent_run: run, parent_seq: at, change: { type: "none" }, effects: "simulate" }) as const;
    const before = randomUUID();
    expect(await ask(desk, run, desk.people.starter, fork(before))).toMatchObject({ refusal: null });
    await shred(run, { type: "run" });
    const shared = (await sealedOf(run)).filter(({ seq }) => seq < at).length;
    expect(shared).toBeGreaterThan(0);
    expect(await verify(before)).toMatchObject({ ok: true, cellsShredded: shared });
    expect(await ask(desk, run, desk.people.starter, fork(randomUUID()))).toMatchObject({ refusal: { code: "value_shredded" } });
  });
});

describe("an attacker with the database", () => {
  const wiped = async (): Promise<string> => {
    const run = await finished();
    await asAdmin(urls.admin, "alter table cell disable trigger insert_only");
    await asAdmin(urls.admin, "update cell set sealed = '', wrapped_key = '' where run_id = $1 and seq = 0 and index = 0", [run]);
    await asAdmin(urls.admin, "alter table cell enable trigger insert_only");

    return run;
  };
  const bad = { ok: false, seq: 0, reason: "cell_missing" };
  const tombstone = (run: string, recordSeq: number) =>
    asAdmin(
      urls.admin,
      `insert into cell_tombstone (workspace_id, run_id, seq, index, record_seq, user_id, reason, at)
       values ($1, $2, 0, 0, $3, $4, 'leaked', now())`,
      [desk.workspace, run, recordSeq, auditor],
    );

  it("emptying a cell, with no, another's or a made-up tombstone, hides nothing", async () => {
    const run = await wiped();
    expect(await verify(run)).toEqual(bad);
    const genuine = await shred(await finished(), { type: "cell", seq: 0, index: 0 });
    await tombstone(run, genuine.seq);
    expect(await verify(run)).toEqual(bad);

    const other = await wiped();
    const ledger = getWorkspaceLedgerId(desk.workspace);
    const [last] = await query<{ seq: number; body: string }>(
      urls.admin,
      "select seq, body from ledger_record where run_id = $1 order by seq desc limit 1",
      [ledger],
    );
    const forged = {
      ...(JSON.parse(last?.body ?? "") as object),
      seq: 999,
      control: [{ type: "cells_shredded", run: other, reason: "leaked", cells: [{ seq: 0, index: 0 }] }],
    };
    await asAdmin(
      urls.admin,
      `insert into ledger_record (workspace_id, run_id, seq, body, digest, kid, signature)
       select workspace_id, run_id, 999, $2, digest, kid, signature from ledger_record where run_id = $1 and seq = $3`,
      [ledger, JSON.stringify(forged), last?.seq],
    );
    await tombstone(other, 999);
    expect(await verify(other)).toEqual(bad);
    await asAdmin(urls.admin, "alter table ledger_record disable trigger insert_only");
    await asAdmin(urls.admin, "delete from ledger_record where run_id = $1 and seq = 999", [ledger]);
    await asAdmin(urls.admin, "alter table ledger_record enable trigger insert_only");
  });

  it("deleting the signed record makes a shredded cell a missing one, and a checkpoint misses the record", async () => {
    const run = await finished();
    await shred(run, { type: "run" });
    const kept = await takeCheckpoint(desk.deps, desk.workspace);
    expect(await verify(run)).toMatchObject({ ok: true });
    await asAdmin(urls.admin, "alter table ledger_record disable trigger insert_only");
    await asAdmin(
      urls.admin,
      "delete from ledger_record where run_id = $1 and seq in (select record_seq from cell_tombstone where run_id = $2)",
      [getWorkspaceLedgerId(desk.workspace), run],
    );
    await asAdmin(urls.admin, "alter table ledger_record enable trigger insert_only");
    expect(await verify(run)).toEqual(bad);
    expect(await auditWorkspace(desk.deps.vault, kept, await listPublicKeys())).toMatchObject({ ok: false, reason: "record_missing" });
  });

  it("cannot write tombstones or empty cells as the web process, or change a tombstone in any role", async () => {
    const values = [desk.workspace, randomUUID(), auditor];
    const insert =
      "insert into cell_tombstone (workspace_id, run_id, seq, index, record_seq, user_id, reason, at) values ($1, $2, 0, 0, 0, $3, 'leaked', now())";
    await expect(query(urls.web, insert, values)).rejects.toThrow("permission denied");
    await expect(query(urls.web, "update cell set sealed = '', wrapped_key = ''")).rejects.toThrow("permission denied");
    await query(urls.runner, insert, values);
    for (const url of [urls.runner, urls.admin]) {
      await expect(query(url, "update cell_tombstone set reason = 'x'")).rejects.toThrow(/insert-only|permission denied/u);
      await expect(query(url, "delete from cell_tombstone")).rejects.toThrow(/insert-only|permission denied/u);
    }
  });
});
