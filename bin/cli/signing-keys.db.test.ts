import fs from "node:fs";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { handoverDigest } from "@/lib/engine/handover";
import { systemClock } from "@/server/clock";
import { testInstallation } from "@/server/mcp/testing/installation";
import { openDesk, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { drive } from "@/server/runner/testing/run";
import { KeyRetired, liveSigner } from "@/server/runner/signing";
import { loadSigner, makeNextSigner } from "@/server/security/keyring";
import { handoverOf, keepHandover, listPublicKeys, registerPublicKey } from "@/server/store/signing-keys";

import { testDatabase } from "@/server/testing/database";
import { countersign, fileIn, startCountersign, type Ended } from "./testing.ts";

vi.setConfig({ testTimeout: 60_000 });

const urls = await testDatabase("runner");
const installation = await testInstallation();
const { home } = installation;
const file = (name: string) => path.join(home, "keys", name);
const call = (...args: string[]): Promise<Ended> => countersign(args, { COUNTERSIGN_HOME: home });
const said = async (asked: Promise<Ended>): Promise<Record<string, unknown>> => {
  const { code, stdout } = await asked;

  return { code, ...(JSON.parse(stdout) as object) };
};
let desk: Desk;
/** Exported before any key was replaced. */
let oldExport: string;

const finishedRun = async (): Promise<string> => {
  const id = await startRun(desk, "honest", "01-upgrade.txt");
  await drive(desk, id);

  return id;
};
/** As a runner is, that signs with the key of the moment. */
const withLiveKey = async () => {
  const live = await liveSigner(home, systemClock);
  desk = { ...desk, deps: { ...desk.deps, signer: live.signer } };

  return live;
};

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  fs.mkdirSync(path.join(home, "keys"), { recursive: true, mode: 0o700 });
  fs.writeFileSync(file("signing.key"), desk.keys.pem, { mode: 0o600 });
  fs.writeFileSync(file("vault.key"), desk.keys.vault, { mode: 0o600 });
  fs.writeFileSync(path.join(home, "database.json"), JSON.stringify(urls), { mode: 0o600 });
  const run = await finishedRun();
  oldExport = (await call("export", run)).stdout;
}, 120_000);
afterAll(() => desk.mcp.close());
beforeEach(() => fs.rmSync(file("next-signing.key"), { force: true }));

test("a new key signs after the old one has handed over; runs go on, and what was exported before still verifies", async () => {
  const live = await withLiveKey();
  const old = loadSigner(home);
  const id = await startRun(desk, "honest", "01-upgrade.txt");
  const rotated = await said(call("keys", "rotate-signing"));
  const next = loadSigner(home);
  expect(rotated).toMatchObject({ code: 0, retired: old.kid, key: next.kid });
  expect(next.kid).not.toBe(old.kid);
  expect(fs.statSync(file("signing.key")).mode & 0o777).toBe(0o600);
  expect(await listPublicKeys()).toMatchObject({ [old.kid]: old.publicKey, [next.kid]: next.publicKey });
  await live.renew();
  await drive(desk, id);

  const [kids] = await query<{ kids: string[] }>(
    urls.admin,
    "select array_agg(distinct kid) as kids from ledger_record where run_id = $1",
    [id],
  );
  expect(kids?.kids).toContain(next.kid);
  expect(await said(call("verify", fileIn(home, "new.json", (await call("export", id)).stdout)))).toMatchObject({ code: 0, ok: true });
  expect(await said(call("verify", fileIn(home, "old.json", oldExport)))).toMatchObject({ code: 0, ok: true });
});

test("a record of a key that claims to be later than its retirement is refused, by the installation and by an export", async () => {
  const live = await withLiveKey();
  const thief = loadSigner(home);
  await said(call("keys", "rotate-signing"));
  await query(urls.admin, "update signing_key set handover = null, retired_at = null where kid = $1", [thief.kid]);
  const next = loadSigner(home);
  const statement = { from: thief.kid, to: next.kid, to_key: next.publicKey, at: systemClock.now() - 1 };
  await keepHandover(thief, { statement, signature: thief.signDigest(handoverDigest(statement)) });
  // Whoever has a copy of the old key goes on signing with it.
  desk = { ...desk, deps: { ...desk.deps, signer: thief } };
  const forged = await startRun(desk, "honest", "01-upgrade.txt");
  await drive(desk, forged).catch(() => undefined);
  desk = { ...desk, deps: { ...desk.deps, signer: live.signer } };
  await live.renew();

  const exported = fileIn(home, "forged.json", (await call("export", forged)).stdout);
  expect(await said(call("verify", exported))).toMatchObject({ code: 1, ok: false, seq: 0, reason: "retired_key" });
  const whole = fileIn(home, "whole.jsonl", (await call("export", "--workspace")).stdout);
  expect(await said(call("verify", whole))).toMatchObject({ code: 1, run: forged, seq: 0, reason: "retired_key" });
  await query(urls.admin, "update signing_key set handover = jsonb_set(handover, '{statement,at}', '1') where kid = $1", [thief.kid]);
  // A statement that its key did not sign retires nobody.
  expect(await said(call("verify", fileIn(home, "forged.json", (await call("export", forged)).stdout)))).toMatchObject({ ok: true });
});

test("killed with -9 in the middle, the old key still signs, and the next attempt goes on with the same new key", async () => {
  const old = loadSigner(home);
  await registerPublicKey(old.kid, old.publicKey);
  const blocker = new pg.Client({ connectionString: urls.admin });
  await blocker.connect();
  await blocker.query("begin");
  await blocker.query("select 1 from signing_key where kid = $1 for update", [old.kid]);
  const { child, ended } = startCountersign(["keys", "rotate-signing"], { COUNTERSIGN_HOME: home });
  await expect.poll(() => fs.existsSync(file("next-signing.key")), { timeout: 30_000 }).toBe(true);
  const made = fs.readFileSync(file("next-signing.key"), "utf8");
  child.kill("SIGKILL");
  await ended;
  await blocker.query("rollback");
  await blocker.end();
  expect(loadSigner(home).kid).toBe(old.kid);
  expect(await handoverOf(old)).toBeNull();

  expect(await said(call("keys", "rotate-signing"))).toMatchObject({ code: 0, retired: old.kid });
  expect(fs.readFileSync(file("signing.key"), "utf8")).toBe(made);
});

test("killed after the old key has handed over, a runner puts the new key in its place by itself", async () => {
  const live = await withLiveKey();
  const old = loadSigner(home);
  const next = makeNextSigner(home);
  const statement = { from: old.kid, to: next.kid, to_key: next.publicKey, at: systemClock.now() + 60_000 };
  await keepHandover(old, { statement, signature: old.signDigest(handoverDigest(statement)) });
  expect(live.signer.kid).toBe(old.kid);
  await live.renew();

  expect(live.signer.kid).toBe(next.kid);
  expect(loadSigner(home).kid).toBe(next.kid);
  expect(await said(call("verify", fileIn(home, "after.json", (await call("export", await finishedRun())).stdout)))).toMatchObject({
    ok: true,
  });
});

test("a runner whose key was replaced, and that does not have the next one, signs nothing", async () => {
  const elsewhere = path.join(home, "elsewhere");
  fs.mkdirSync(path.join(elsewhere, "keys"), { recursive: true, mode: 0o700 });
  fs.copyFileSync(file("signing.key"), path.join(elsewhere, "keys", "signing.key"));
  const other = await liveSigner(elsewhere, systemClock);
  const { code } = await call("keys", "rotate-signing");
  expect(code).toBe(0);
  // Until then it may, so that nothing that is under way is lost.
  await other.renew();
  const late = { ...systemClock, now: () => systemClock.now() + 60_000 };
  await expect(liveSigner(elsewhere, late)).rejects.toThrow(KeyRetired);

  fs.copyFileSync(file("signing.key"), path.join(elsewhere, "keys", "signing.key"));
  await other.renew();
  expect(other.signer.kid).toBe(loadSigner(home).kid);
});

test("a statement that the key did not sign stops no runner, puts no key in its place, and gives way to the key's own", async () => {
  const live = await withLiveKey();
  const old = loadSigner(home);
  const next = makeNextSigner(home);
  const forged = { statement: { from: old.kid, to: next.kid, to_key: next.publicKey, at: 1 }, signature: "A".repeat(86) };
  await query(urls.admin, "update signing_key set handover = $2, retired_at = now() where kid = $1", [old.kid, JSON.stringify(forged)]);
  await live.renew();
  expect([live.signer.kid, loadSigner(home).kid]).toEqual([old.kid, old.kid]);

  const rotated = await said(call("keys", "rotate-signing"));
  expect(rotated).toMatchObject({ code: 0, retired: old.kid, key: next.kid });
  expect(await handoverOf(old)).toMatchObject({ statement: { to: next.kid, at: rotated["retired_at"] } });
});
