import { generateKeyPairSync } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { computeHandoverDigest } from "@/lib/engine/ledger/handover";
import { getCurrentKey, getKeys, getRetired } from "@/lib/engine/ledger/trust-anchor";
import { systemClock } from "@/server/clock";
import { collectRunnerMetrics } from "@/server/metrics";
import { testInstallation } from "@/server/mcp/testing/installation";
import { openDesk, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { drive } from "@/server/runner/testing/run";
import { KeyRetired, createLiveSigner } from "@/server/runner/signing";
import { writeAnchor } from "@/server/security/anchor-file";
import { loadSigner, makeNextSigner, loadSignerFromPem, type Signer } from "@/server/security/keyring";
import { loadHomeAnchor } from "@/server/cli/keys";
import { listPublicKeys, useTrustAnchor } from "@/server/security/trust-anchor";
import { hintAbout } from "@/server/store/trust/key-hints";
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
/** From before any rotation. */
let oldExport: string;

const finishedRun = async (): Promise<string> => {
  const id = await startRun(desk, "honest", "01-upgrade.txt");
  await drive(desk, id);

  return id;
};
const withLiveKey = async () => {
  const live = await createLiveSigner(home, systemClock);
  desk = { ...desk, deps: { ...desk.deps, signer: live.signer } };

  return live;
};

const handoverBy = (from: Signer, to: Signer, at: number) => {
  const statement = { from: from.kid, to: to.kid, to_key: to.publicKey, at };
  const digest = computeHandoverDigest(statement);

  return { statement, signature: from.signDigest(digest), countersignature: to.signDigest(digest) };
};

type MadeKey = { readonly pem: string; readonly signer: Signer };

const newSigner = (): MadeKey => {
  const pem = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();

  return { pem, signer: loadSignerFromPem(pem) };
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

test("signs with the new key after the handover; runs continue and earlier exports still verify", async () => {
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

test("rejects a record signed after its key's retirement, in the installation and in exports", async () => {
  const live = await withLiveKey();
  const thief = loadSigner(home);
  await said(call("keys", "rotate-signing"));
  const anchor = await loadHomeAnchor(home);
  // Past the 30 s in which both keys may sign.
  const at = systemClock.now() - 1;
  const handovers = [handoverBy(loadSignerFromPem(desk.keys.pem), thief, at), handoverBy(thief, loadSigner(home), at)];
  await writeAnchor(home, { ...anchor, handovers });
  useTrustAnchor(home);
  desk = { ...desk, deps: { ...desk.deps, signer: thief } };
  const forged = await startRun(desk, "honest", "01-upgrade.txt");
  await drive(desk, forged).catch(() => undefined);
  desk = { ...desk, deps: { ...desk.deps, signer: live.signer } };
  await live.renew();

  const exported = fileIn(home, "forged.json", (await call("export", forged)).stdout);
  expect(await said(call("verify", exported))).toMatchObject({ code: 1, ok: false, seq: 0, reason: "retired_key" });
  // The given anchor has the handover that the forger omits.
  const document = z.looseObject({ ledger: z.looseObject({}) }).parse(JSON.parse(fs.readFileSync(exported, "utf8")));
  const without = { ...document, ledger: { ...document.ledger, handovers: undefined }, signature: null };
  const bare = fileIn(home, "bare.json", JSON.stringify(without));
  expect(await said(call("verify", bare, "--keys", fileIn(home, "keys.json", (await call("keys")).stdout)))).toMatchObject({ ok: true });
  const anchored = await said(call("verify", bare, "--anchor", file("trust-anchor.json")));
  expect(anchored).toMatchObject({ code: 1, reason: "retired_key" });
  const whole = fileIn(home, "whole.jsonl", (await call("export", "--workspace")).stdout);
  expect(await said(call("verify", whole))).toMatchObject({ code: 1, run: forged, seq: 0, reason: "retired_key" });
});

/** Kills a rotation that waits for the lock on key_hint. */
const killedRotation = async (mode: "access exclusive" | "share", isReached: () => Promise<boolean>): Promise<void> => {
  const blocker = new pg.Client({ connectionString: urls.admin });
  await blocker.connect();
  await blocker.query(`begin; lock table key_hint in ${mode} mode`);
  const { child, ended } = startCountersign(["keys", "rotate-signing"], { COUNTERSIGN_HOME: home });
  await expect.poll(isReached, { timeout: 30_000 }).toBe(true);
  child.kill("SIGKILL");
  await ended;
  await blocker.query("rollback");
  await blocker.end();
};

test("keeps signing with the old key after kill -9 during a rotation, and the next attempt reuses the new key", async () => {
  const old = loadSigner(home);
  const anchor = await loadHomeAnchor(home);
  await killedRotation("access exclusive", async () => fs.existsSync(file("next-signing.key")));
  const made = fs.readFileSync(file("next-signing.key"), "utf8");
  expect(loadSigner(home).kid).toBe(old.kid);
  expect(await loadHomeAnchor(home)).toEqual(anchor);

  expect(await said(call("keys", "rotate-signing"))).toMatchObject({ code: 0, retired: old.kid });
  expect(fs.readFileSync(file("signing.key"), "utf8")).toBe(made);
});

test("a runner installs the new key when the rotation was killed after anchoring it", async () => {
  const live = await withLiveKey();
  await killedRotation("share", async () => getCurrentKey(await loadHomeAnchor(home)).kid !== live.signer.kid);
  const next = getCurrentKey(await loadHomeAnchor(home));
  expect(loadSigner(home).kid).not.toBe(next.kid);
  await live.renew();

  expect([live.signer.kid, loadSigner(home).kid]).toEqual([next.kid, next.kid]);
  expect(await said(call("verify", fileIn(home, "after.json", (await call("export", await finishedRun())).stdout)))).toMatchObject({
    ok: true,
  });
});

/** Another machine's state folder with only these files. */
const elsewhere = (name: string, ...files: readonly string[]) => {
  const folder = path.join(home, name);
  fs.mkdirSync(path.join(folder, "keys"), { recursive: true, mode: 0o700 });
  const copy = (...names: readonly string[]) => names.forEach((one) => fs.copyFileSync(file(one), path.join(folder, "keys", one)));
  copy(...files);

  return { folder, copy };
};

test("a runner whose key was replaced signs nothing without the next key", async () => {
  const { folder, copy } = elsewhere("another-machine", "signing.key", "trust-anchor.json");
  const other = await createLiveSigner(folder, systemClock);
  expect((await call("keys", "rotate-signing")).code).toBe(0);
  // The old key may finish work in progress.
  await other.renew();
  const late = { ...systemClock, now: () => systemClock.now() + 60_000 };
  await expect(createLiveSigner(folder, late)).rejects.toThrow(KeyRetired);

  copy("signing.key");
  await other.renew();
  expect(other.signer.kid).toBe(loadSigner(home).kid);
  // The hint was signed by both keys, so the anchor advances.
  expect(getKeys(await loadHomeAnchor(folder))).toEqual(getKeys(await loadHomeAnchor(home)));
});

test("a runner does not start with a key that no handover reaches", async () => {
  const { folder } = elsewhere("exchanged", "trust-anchor.json");
  fs.writeFileSync(path.join(folder, "keys", "signing.key"), newSigner().pem, { mode: 0o600 });
  await expect(createLiveSigner(folder, systemClock)).rejects.toThrow("is not in keys/trust-anchor.json");
});

test("ignores a hint not signed by both keys, and replaces it with the genuine one", async () => {
  const live = await withLiveKey();
  const old = loadSigner(home);
  const next = makeNextSigner(home);
  const genuine = handoverBy(old, next, 1);
  const { countersignature: _, ...bySelf } = genuine;
  for (const forged of [{ ...genuine, signature: "A".repeat(86) }, { ...genuine, countersignature: genuine.signature }, bySelf]) {
    await query(
      urls.admin,
      "insert into key_hint (kid, public_key, handover) values ($1, $2, $3) on conflict (kid) do update set handover = excluded.handover",
      [old.kid, old.publicKey, JSON.stringify(forged)],
    );
    await live.renew();
    expect([live.signer.kid, loadSigner(home).kid]).toEqual([old.kid, old.kid]);
  }
  await live.renew();
  // Counted once per hint, not per read.
  expect((await collectRunnerMetrics(null)).text).toMatch(/countersign_trust_alarms_total\{reason="forged_handover"\} 3/u);

  const rotated = await said(call("keys", "rotate-signing"));
  expect(rotated).toMatchObject({ code: 0, retired: old.kid, key: next.kid });
  expect((await hintAbout(old)).believed).toMatchObject({ statement: { to: next.kid, at: rotated["retired_at"] } });
});

test("adopts only the earlier keys that follow from the one its operator names", async () => {
  const [first, second, current] = [newSigner(), newSigner(), newSigner()];
  const thief = newSigner();
  const { folder } = elsewhere("upgraded");
  fs.writeFileSync(path.join(folder, "keys", "signing.key"), current.pem, { mode: 0o600 });
  fs.copyFileSync(path.join(home, "database.json"), path.join(folder, "database.json"));
  const [at, later] = [systemClock.now() - 2_000, systemClock.now() - 1_000];
  await query(urls.admin, "delete from key_hint");
  for (const { from, to, end } of [
    { from: first, to: second, end: at },
    { from: second, to: current, end: later },
    // A thief can claim this for any key.
    { from: thief, to: current, end: later },
  ]) {
    const { statement, signature } = handoverBy(from.signer, to.signer, end);
    await query(urls.admin, "insert into key_hint (kid, public_key, handover) values ($1, $2, $3)", [
      from.signer.kid,
      from.signer.publicKey,
      JSON.stringify({ statement, signature }),
    ]);
  }
  await query(urls.admin, "insert into key_hint (kid, public_key) values ('planted', 'planted'), ($1, $2)", [
    current.signer.kid,
    current.signer.publicKey,
  ]);
  const { unconfirmed } = await createLiveSigner(folder, systemClock);
  expect([...unconfirmed].toSorted()).toEqual([first.signer.kid, second.signer.kid, thief.signer.kid, "planted"].toSorted());
  expect(Object.keys(getKeys(await loadHomeAnchor(folder)))).toEqual([current.signer.kid]);

  const upgrade = (...args: string[]) => countersign(["keys", ...args], { COUNTERSIGN_HOME: folder });
  const listed = await said(upgrade("adopt"));
  expect(listed["unconfirmed"]).toHaveLength(4);
  expect(listed["unconfirmed"]).toContainEqual(expect.objectContaining({ key: "planted", leads_here: false }));
  expect((await upgrade("adopt", "planted")).code).toBe(1);
  expect(await said(upgrade("adopt", first.signer.kid))).toMatchObject({
    code: 0,
    adopted: [first.signer.kid, second.signer.kid],
    ignored: 2,
  });
  const anchor = await loadHomeAnchor(folder);
  expect(anchor.keys.map(({ kid }) => kid)).toEqual([first.signer.kid, second.signer.kid, current.signer.kid]);
  expect([...getRetired(anchor)]).toEqual([
    [first.signer.kid, at],
    [second.signer.kid, later],
  ]);
  expect((await createLiveSigner(folder, systemClock)).unconfirmed).toEqual([]);
});
