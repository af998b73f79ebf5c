import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { checkpointFileSchema, type CheckpointFile } from "@/lib/engine/ledger/checkpoint-file";
import { exportSchema, type RunExport } from "@/lib/engine/ledger/export";
import { digestOf } from "@/lib/hash";
import { toCanonicalJson, jsonSchema } from "@/lib/json";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { openDesk, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { drive } from "@/server/runner/testing/run";
import { recordRows } from "@/server/testing/authority";
import { testDatabase } from "@/server/testing/database";
import { countersign, fileIn, type Ended } from "./testing.ts";

vi.setConfig({ testTimeout: 60_000 });

const urls = await testDatabase("runner");
const installation = await testInstallation();
const { home } = installation;
const env = { COUNTERSIGN_HOME: home };
let desk: Desk;
let run: string;
let kept: CheckpointFile;

const call = (...args: string[]): Promise<Ended> => countersign(args, env);
const file = (content: unknown): string => fileIn(home, `${randomUUID()}.json`, content);
const read = async (asked: Promise<Ended>): Promise<CheckpointFile> => checkpointFileSchema.parse(JSON.parse((await asked).stdout));
const said = async (asked: Promise<Ended>): Promise<Record<string, unknown>> => {
  const { code, stdout } = await asked;

  return { code, ...(JSON.parse(stdout) as object) };
};
const goOn = async (): Promise<string> => {
  const id = await startRun(desk, "honest", "01-upgrade.txt");
  await drive(desk, id);

  return id;
};
const exported = async (id: string): Promise<RunExport> => exportSchema.parse(JSON.parse((await call("export", id)).stdout));

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  fs.mkdirSync(path.join(home, "keys"), { recursive: true, mode: 0o700 });
  fs.writeFileSync(path.join(home, "keys", "signing.key"), desk.keys.pem, { mode: 0o600 });
  fs.writeFileSync(path.join(home, "keys", "vault.key"), desk.keys.vault, { mode: 0o600 });
  fs.writeFileSync(path.join(home, "database.json"), JSON.stringify(urls), { mode: 0o600 });
  run = await goOn();
  kept = await read(call("checkpoint"));
}, 120_000);
afterAll(() => desk.mcp.close());

describe("countersign checkpoint", () => {
  test("counts every record of every workspace, and repeats its output while nothing is new", async () => {
    const [counted] = await query<{ n: number }>(urls.admin, "select count(*)::int as n from ledger_record");

    expect(kept.checkpoints.map(({ signed, since }) => [signed.checkpoint.origin, signed.checkpoint.count, since])).toEqual([
      [desk.workspace, counted?.n, null],
    ]);
    expect(await read(call("checkpoint"))).toEqual(kept);
  });

  test("writes an owner-only file and requires the signing key", async () => {
    const target = path.join(home, "checkpoint.json");
    expect(await call("checkpoint", "--out", target)).toMatchObject({ code: 0, stdout: "" });
    expect(checkpointFileSchema.parse(JSON.parse(fs.readFileSync(target, "utf8")))).toEqual(kept);
    expect(fs.statSync(target).mode & 0o777).toBe(0o600);

    const keyless = path.join(home, "keyless");
    fs.mkdirSync(keyless);
    fs.copyFileSync(path.join(home, "database.json"), path.join(keyless, "database.json"));
    const failed = await countersign(["checkpoint"], { COUNTERSIGN_HOME: keyless });
    expect(failed).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("signing key") as string });
  });

  test("names the older checkpoint it extends, verifiable without the database", async () => {
    await goOn();
    const newer = await read(call("checkpoint", "--since", file(kept)));
    const [entry] = newer.checkpoints;
    expect(entry?.since?.signed).toEqual(kept.checkpoints[0]?.signed);
    expect(await said(countersign(["verify", file(newer)]))).toMatchObject({ code: 0, ok: true });

    const since = { ...entry!.since!, proof: entry!.since!.proof.slice(1) };
    const bent = { ...newer, checkpoints: [{ ...entry!, since }] };
    expect(await said(countersign(["verify", file(bent)]))).toMatchObject({ code: 1, ok: false, reason: "not_consistent" });
    const counted = { ...entry!.signed, checkpoint: { ...entry!.signed.checkpoint, count: entry!.signed.checkpoint.count - 1 } };
    const wrong = { ...newer, checkpoints: [{ ...entry!, signed: counted }] };
    expect(await said(countersign(["verify", file(wrong)]))).toMatchObject({ code: 1, ok: false, reason: "checkpoint_signature" });
    expect(await said(countersign(["verify", file(newer), "--keys", file({})]))).toMatchObject({ code: 1, reason: "checkpoint_key" });
  });
});

describe("countersign export", () => {
  test("includes an inclusion proof of the run's last record, and verify checks it offline", async () => {
    const document = await exported(run);
    const { stdout } = await countersign(["verify", file(document)]);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, checkpoint: document.coverage?.signed.checkpoint });
    expect(document.coverage?.signed.checkpoint.origin).toBe(desk.workspace);

    const moved = { ...document, coverage: { ...document.coverage!, index: document.coverage!.index - 1 }, signature: null };
    const seq = document.ledger.records.length - 1;
    expect(await said(countersign(["verify", file(moved)]))).toMatchObject({ code: 1, ok: false, reason: "checkpoint", seq });
    const stripped = { ...document, coverage: undefined };
    expect(await said(countersign(["verify", file(stripped)]))).toMatchObject({ code: 1, ok: false, reason: "export" });
  });

  test("omits the proof of a run that no checkpoint covers yet", async () => {
    const document = await exported(await goOn());

    expect(document.coverage).toBeUndefined();
    expect(await said(countersign(["verify", file(document)]))).toMatchObject({ code: 0, ok: true, checkpoint: null });
  });

  test("exports the version as published, also when newer versions have more fields", async () => {
    const { subgraphs: _later, ...before } = desk.published;
    const text = toCanonicalJson(jsonSchema.parse(JSON.parse(JSON.stringify(before))));
    const hash = digestOf("graph", jsonSchema.parse(JSON.parse(text)));
    await asAdmin(
      urls.admin,
      "insert into graph_version (workspace_id, hash, graph_id, number, document, author_id) select workspace_id, $1, graph_id, 2, $2, author_id from graph_version limit 1",
      [hash, text],
    );
    await recordRows(desk.deps, desk.workspace);
    const id = await startRun(desk, "honest", "01-upgrade.txt", hash);
    await drive(desk, id);
    const document = await exported(id);

    expect(toCanonicalJson(document.published)).toBe(text);
    expect(document.ledger.records.length).toBeGreaterThan(3);
    expect(await said(countersign(["verify", file(document)]))).toMatchObject({ code: 0, ok: true });
  });
});

describe("countersign verify --checkpoint", () => {
  test("accepts an unchanged installation, and says how far it has advanced and what is not proved", async () => {
    const { count } = kept.checkpoints[0]!.signed.checkpoint;
    const result = await said(call("verify", "--checkpoint", file(kept)));

    expect(result).toMatchObject({ code: 0, ok: true, unchecked: [], workspaces: [{ workspace: desk.workspace, counted: count }] });
    expect(JSON.stringify(result["not_proved"])).toContain("after the checkpoint");
  });

  test("reports an invalid file and a missing installation in one sentence", async () => {
    expect(await call("verify", "--checkpoint", file({ format: "x" }))).toMatchObject({ code: 1, stdout: "" });
    const nowhere = await countersign(["verify", "--checkpoint", file(kept)]);
    expect(nowhere).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("no installation found") as string });
  });

  test("trusts the given keys instead of those in the file", async () => {
    const result = await said(call("verify", "--checkpoint", file(kept), "--keys", file({ other: "x" })));

    expect(result).toMatchObject({ code: 1, ok: false, reason: "checkpoint_key" });
  });

  test("names a missing trust log row and a row without a record", async () => {
    const found = { code: 1, ok: false, workspace: desk.workspace };
    await asAdmin(urls.admin, "alter table trust_event disable trigger insert_only");
    await asAdmin(urls.admin, "create table taken as select * from trust_event where run_id = $1 order by seq, index limit 1", [run]);
    await asAdmin(
      urls.admin,
      "update trust_event t set principal = 'engine' from taken k where (t.run_id, t.seq, t.index) = (k.run_id, k.seq, k.index)",
    );
    expect(await said(call("verify", "--checkpoint", file(kept)))).toMatchObject({ ...found, reason: "trust_forged", run });
    await asAdmin(urls.admin, "delete from trust_event t using taken k where (t.run_id, t.seq, t.index) = (k.run_id, k.seq, k.index)");
    expect(await said(call("verify", "--checkpoint", file(kept)))).toMatchObject({ ...found, reason: "trust_missing", run });
    await asAdmin(urls.admin, "insert into trust_event select * from taken");
  });

  // Last: damages the database.
  test("names a record removed together with the head, and refuses to take a checkpoint that hides it", async () => {
    for (const table of ["ledger_record", "cell", "log_leaf", "checkpoint"]) {
      await asAdmin(urls.admin, `alter table ${table} disable trigger insert_only`);
    }
    const [head] = await query<{ seq: number; parent: string }>(
      urls.admin,
      "select seq, body::json ->> 'parent' as parent from ledger_record where run_id = $1 order by seq desc limit 1",
      [run],
    );
    for (const table of ["ledger_record", "cell"]) {
      await asAdmin(urls.admin, `delete from ${table} where run_id = $1 and seq = $2`, [run, head?.seq]);
    }
    await asAdmin(urls.admin, "update run set version = $2, head = $3 where id = $1", [run, head?.seq, head?.parent]);
    const missing = { code: 1, ok: false, workspace: desk.workspace, reason: "record_missing", run, seq: head?.seq };
    expect(await said(call("verify", "--checkpoint", file(kept)))).toMatchObject(missing);

    // The kept checkpoint still shows a truncated log.
    await asAdmin(urls.admin, "delete from log_leaf where run_id = $1 and seq = $2", [run, head?.seq]);
    await asAdmin(urls.admin, "delete from checkpoint");
    const cut = await said(call("verify", "--checkpoint", file(kept)));
    expect(cut).toMatchObject({ code: 1, ok: false, reason: "log_rewritten", run: null });
    expect(await call("checkpoint", "--since", file(kept))).toMatchObject({ code: 1, stdout: "" });
  });
});
