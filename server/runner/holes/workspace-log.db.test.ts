import { generateKeyPairSync, randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { SignedCheckpoint } from "@/lib/engine/ledger/checkpoint";
import { recordSchema } from "@/lib/engine/ledger/record";
import type { PublicKeys } from "@/lib/engine/ledger/signature";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { toCanonicalJson } from "@/lib/json";
import { recordDigest } from "@/lib/engine/ledger/chain";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin, testWorkspace } from "@/server/mcp/testing/registered";
import { auditWorkspace, type Audit } from "@/server/runner/audit";
import { takeCheckpoint } from "@/server/runner/checkpoint";
import { command, openDesk, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { forkRun } from "@/server/runner/testing/fork";
import { ask, drive } from "@/server/runner/testing/run";
import { loadSignerFromPem } from "@/server/security/keyring";
import { appendAttempt } from "@/server/store/runs/attempts";
import { listDueRuns } from "@/server/store/ledger/run-heads";
import { listPublicKeys } from "@/server/security/trust-anchor";
import { systemClock } from "@/server/clock";
import { createMemoryJournal } from "@/server/security/journal/journal";
import { createAuthorityReader } from "@/server/store/trust/authority";
import { ownRecords } from "@/server/store/workspaces/log";
import { recordRows } from "@/server/testing/authority";
import { testDatabase } from "@/server/testing/database";

const TABLES = ["log_leaf", "checkpoint", "ledger_record", "cell", "trust_event"] as const;
const urls = await testDatabase("runner");
const installation = await testInstallation();
const ADOPTED = 1;
let desk: Desk;
let run: string;
let keys: PublicKeys;
let kept: SignedCheckpoint;

const admin = (sql: string, values: unknown[] = []) => asAdmin(urls.admin, sql, values);
/** Without memory; `rollback.db.test.ts` covers the journal. */
const checkpoint = () => takeCheckpoint(forgetful(), desk.workspace);
const forgetful = () => ({ ...desk.deps, journal: createMemoryJournal(systemClock) });
const audit = (): Promise<Audit> => auditWorkspace(desk.deps.vault, kept, keys);
const headOf = async (id: string) => {
  const [head] = await query<{ version: number; head: string }>(urls.admin, "select version, head from run where id = $1", [id]);

  return { version: head?.version ?? 0, head: head?.head ?? "" };
};

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  keys = await listPublicKeys();
  // A superuser can do this.
  for (const table of TABLES) await admin(`alter table ${table} disable trigger insert_only`);
}, 120_000);
beforeEach(async () => {
  for (const table of [...TABLES, "run"]) await admin(`delete from ${table}`);
  // The ledger restarts with its rows, under a fresh runner.
  desk = { ...desk, deps: { ...desk.deps, authority: createAuthorityReader({ publicKeys: listPublicKeys }) } };
  await recordRows(desk.deps, desk.workspace);
  run = await startRun(desk, "honest", "02-outage-credit.txt");
  await drive(desk, run);
  kept = await checkpoint();
});
afterAll(() => desk.mcp.close());

test("an untouched workspace verifies, also after it continued", async () => {
  const { version } = await headOf(run);
  expect(await audit()).toEqual({ ok: true, counted: version + ADOPTED, logged: 0, pending: 0 });
  const other = await startRun(desk, "honest", "02-outage-credit.txt");
  await drive(desk, other);
  expect(await audit()).toEqual({ ok: true, counted: version + ADOPTED, logged: 0, pending: (await headOf(other)).version });
  await checkpoint();
  expect(await audit()).toEqual({ ok: true, counted: version + ADOPTED, logged: (await headOf(other)).version, pending: 0 });
});

test("a fork's own records are logged once with its parent's", async () => {
  const fork = await forkRun(desk, run, 2, { type: "strict_taint", value: true });
  expect(fork.outcome.refusal).toBeNull();
  await checkpoint();
  const [stored] = await query<{ n: number }>(urls.admin, "select count(*)::int as n from ledger_record");
  const { version } = await headOf(run);
  expect(await audit()).toEqual({ ok: true, counted: version + ADOPTED, logged: (stored?.n ?? 0) - version - ADOPTED, pending: 0 });
  await admin("delete from ledger_record where run_id = $1", [fork.run]);
  expect(await audit()).toEqual({ ok: false, reason: "run_missing", run: fork.run, seq: null });
});

test("without new records the current checkpoint is returned", async () => {
  expect(await checkpoint()).toEqual(kept);
});

test("Theodosia: records that were cut off together with the run's head are missed by the log", async () => {
  const { version } = await headOf(run);
  const [last] = await query<{ digest: string }>(urls.admin, "select digest from ledger_record where run_id = $1 and seq = $2", [
    run,
    version - 2,
  ]);
  for (const table of ["ledger_record", "cell"]) await admin(`delete from ${table} where run_id = $1 and seq = $2`, [run, version - 1]);
  await admin("update run set version = version - 1, head = $2 where id = $1", [run, last?.digest]);
  expect(await audit()).toEqual({ ok: false, reason: "record_missing", run, seq: version - 1 });
});

test("Theodosia: a run that was deleted with everything about it is missed by the log", async () => {
  for (const table of ["ledger_record", "cell"]) await admin(`delete from ${table} where run_id = $1`, [run]);
  await admin("delete from run where id = $1", [run]);
  expect(await audit()).toEqual({ ok: false, reason: "run_missing", run, seq: null });
});

test("Theodosia: a run and its place in the log, deleted together, are missed by a checkpoint kept elsewhere", async () => {
  for (const table of ["ledger_record", "cell"]) await admin(`delete from ${table} where run_id = $1`, [run]);
  await admin("delete from run where id = $1", [run]);
  for (const table of ["log_leaf", "checkpoint"]) await admin(`delete from ${table}`);
  expect(await audit()).toMatchObject({ ok: false, reason: "log_shorter" });
  // The runner's new signatures contradict the kept checkpoint.
  for (let made = 0; made < 2; made += 1) await drive(desk, await startRun(desk, "honest", "02-outage-credit.txt"));
  await checkpoint();
  expect(await audit()).toMatchObject({ ok: false, reason: "log_rewritten" });
});

test("a missing head row is noticed although its records exist", async () => {
  await admin("delete from run where id = $1", [run]);
  expect(await audit()).toEqual({ ok: false, reason: "truncated", run, seq: 0 });
});

const forge = async (pem: string, change: { readonly run?: string; readonly at?: number }, seq: number): Promise<void> => {
  const [stored] = await query<{ body: string }>(urls.admin, "select body from ledger_record where run_id = $1 and seq = 0", [run]);
  const record = recordSchema.parse({ ...(JSON.parse(stored?.body ?? "") as object), ...change, seq });
  const digest = recordDigest(record);
  const signer = loadSignerFromPem(pem);
  await admin("insert into ledger_record (workspace_id, run_id, seq, body, digest, kid, signature) values ($1, $2, $3, $4, $5, $6, $7)", [
    desk.workspace,
    record.run,
    seq,
    toCanonicalJson(record),
    digest,
    signer.kid,
    signer.signDigest(digest),
  ]);
  await admin(
    `insert into run (workspace_id, id, graph_id, graph_hash, initiator_id, status, version, head, created_at, updated_at)
     select workspace_id, $2, graph_id, graph_hash, initiator_id, 'completed', $3, $4, created_at, updated_at from run where id = $1
     on conflict (id) do update set version = $3, head = $4`,
    [run, record.run, seq + 1, digest],
  );
};

test("Theodosia: does not log a forged, unsigned run, and tells it from a new one", async () => {
  const stranger = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const forged = randomUUID();
  await forge(stranger, { run: forged, at: kept.checkpoint.at - 3_600_000 }, 0);
  expect(await audit()).toEqual({ ok: false, reason: "record_unlogged", run: forged, seq: 0 });
  expect(await checkpoint()).toEqual(kept);
});

test("Theodosia: a forged record of today is no one's: the key that signed it is not among those that were kept", async () => {
  const stranger = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const forged = randomUUID();
  await forge(stranger, { run: forged }, 0);
  expect(await audit()).toEqual({ ok: false, reason: "unknown_key", run: forged, seq: 0 });
});

test("Theodosia: a run made up long after, even with the stolen key, cannot be put before the checkpoint", async () => {
  const forged = randomUUID();
  await forge(desk.keys.pem, { run: forged, at: kept.checkpoint.at - 3_600_000 }, 0);
  await checkpoint();
  expect(await audit()).toEqual({ ok: false, reason: "record_unlogged", run: forged, seq: 0 });
});

test.each([
  { what: "of another run under this one's name", change: "run_id = $2" },
  { what: "at another place", change: "seq = 1000" },
])("does not log a record $what", async ({ change }) => {
  const other = randomUUID();
  await admin("create table copied as select * from ledger_record where run_id = $1 and seq = 0", [run]);
  await admin(`update copied set ${change} where $1::uuid is not null and $2::uuid is not null`, [run, other]);
  await admin("insert into ledger_record select * from copied");
  await admin("drop table copied");
  await admin(
    `insert into run (workspace_id, id, graph_id, graph_hash, initiator_id, status, version, head, created_at, updated_at)
     select workspace_id, $2, graph_id, graph_hash, initiator_id, 'completed', 1, head, created_at, updated_at from run where id = $1`,
    [run, other],
  );
  expect(await checkpoint()).toEqual(kept);
});

test("a record with another text than the signed one is not logged", async () => {
  const other = await startRun(desk, "honest", "02-outage-credit.txt");
  await drive(desk, other);
  await admin("update ledger_record set body = replace(body, '\"v\":1', '\"v\":1 ') where run_id = $1 and seq = 0", [other]);
  expect(await checkpoint()).toEqual(kept);
});

test("a re-signed replacement of a record differs from the log", async () => {
  const { version } = await headOf(run);
  await admin("delete from ledger_record where run_id = $1 and seq = $2", [run, version - 1]);
  await forge(desk.keys.pem, {}, version - 1);
  expect(await audit()).toEqual({ ok: false, reason: "record_changed", run, seq: version - 1 });
});

test("the runner signs no further head of a tampered log", async () => {
  await drive(desk, await startRun(desk, "honest", "02-outage-credit.txt"));
  await admin("update checkpoint set frontier = array_append(frontier, repeat('0', 64))");
  await expect(checkpoint()).rejects.toThrow("not what its newest checkpoint says");
  await admin("update checkpoint set frontier = trim_array(frontier, 1), at = at + 1");
  await expect(checkpoint()).rejects.toThrow("not what its newest checkpoint says");
});

test("two concurrent checkpoints log each record once", async () => {
  await drive(desk, await startRun(desk, "honest", "02-outage-credit.txt"));
  const [first, second] = await Promise.all([checkpoint(), checkpoint()]);
  expect(first).toEqual(second);
  expect(await audit()).toMatchObject({ ok: true, pending: 0 });
});

const ownLedger = async (workspace: string) =>
  (await ownRecords(workspace, getWorkspaceLedgerId(workspace)))
    .map(({ body }) => recordSchema.parse(JSON.parse(body)))
    .filter(({ control }) => !control.some((event) => event.type === "admin_changed" && event.step === "adopted"));

test("Theodosia: an attempt at a run that does not exist, or is another workspace's, is a signed entry of the workspace's own ledger", async () => {
  const foreign = randomUUID();
  const stranger = await testWorkspace(urls.admin);
  await admin(
    `insert into run (workspace_id, id, graph_id, graph_hash, initiator_id, status, version, head, created_at, updated_at)
     select $2, $3, graph_id, graph_hash, initiator_id, 'running', 0, head, created_at, updated_at from run where id = $1`,
    [run, stranger, foreign],
  );
  const reason = "canary-7d31";
  const answers = [];
  for (const target of [randomUUID(), foreign, getWorkspaceLedgerId(desk.workspace)])
    answers.push(await ask(desk, target, desk.people.builder, { kind: "cancel", reason }));
  expect(answers.map(({ refusal }) => refusal?.code)).toEqual(["not_found", "not_found", "not_found"]);

  const records = await ownLedger(desk.workspace);
  const principal = { type: "user", id: desk.people.builder, role: "builder", auditor: false };
  expect(records).toHaveLength(3);
  for (const record of records) {
    expect(record).toMatchObject({ kind: "refusal", principal, proposal_kind: "cancel", writes: [], refusal: { code: "not_found" } });
    expect(record.proposal_digest).toBe(records[0]?.proposal_digest);
  }
  expect(JSON.stringify(records)).not.toContain(reason);
  expect(await ownLedger(stranger)).toEqual([]);
  await checkpoint();
  const { version } = await headOf(run);
  expect(await audit()).toEqual({ ok: true, counted: version + ADOPTED, logged: 3, pending: 0 });

  await admin("delete from ledger_record where run_id = $1 and seq = 3", [getWorkspaceLedgerId(desk.workspace)]);
  expect(await audit()).toEqual({ ok: false, reason: "record_missing", run: getWorkspaceLedgerId(desk.workspace), seq: 3 });
});

test("no run can start under the workspace ledger's id", async () => {
  const own = getWorkspaceLedgerId(desk.workspace);
  const start = { kind: "start" as const, graph_hash: desk.graphHash, goal: "x", constraints: [], inputs: {}, model: "scripted:honest" };
  expect((await ask(desk, own, desk.people.starter, start)).refusal?.code).toBe("not_found");
  expect(await query(urls.admin, "select 1 from run where id = $1", [own])).toEqual([]);
  expect(await ownLedger(desk.workspace)).toMatchObject([{ proposal_kind: "start" }]);
});

test("Theodosia: the sweep finds an attempt without a notification, and several runners record it once", async () => {
  const target = randomUUID();
  const asked = [ask(desk, target, desk.people.reviewer, { kind: "cancel" }), ask(desk, target, desk.people.builder, { kind: "cancel" })];
  await Promise.all(asked);
  expect((await ownLedger(desk.workspace)).map(({ seq }) => seq)).toEqual([1, 2]);
  const id = await command(desk, target, desk.people.builder, { kind: "cancel" });
  expect(await listDueRuns(1_000)).toContainEqual({ workspaceId: desk.workspace, runId: target });
  await drive(desk, target);
  expect(await listDueRuns(1_000)).not.toContainEqual({ workspaceId: desk.workspace, runId: target });
  expect(await ownLedger(desk.workspace)).toHaveLength(3);
  // A runner that read the command before its answer.
  const late = () => {
    throw new Error("nothing is signed for it");
  };
  await appendAttempt(desk.workspace, id, late);
  expect(await ownLedger(desk.workspace)).toHaveLength(3);
});
