/** A database writer plants a key wherever keys were read, and decides with it. */
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { countersign, fileIn } from "@/bin/cli/testing";
import { computeHandoverDigest } from "@/lib/engine/ledger/handover";
import { getKeys } from "@/lib/engine/ledger/trust-anchor";
import { verifyLedger } from "@/lib/engine/verify/verify";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import type { Role } from "@/lib/roles";
import { useDatabase } from "@/server/db/client";
import { collectRunnerMetrics } from "@/server/metrics";
import { testInstallation } from "@/server/mcp/testing/installation";
import { recordAttempts } from "@/server/runner/attempts";
import { decideCommands } from "@/server/runner/commands";
import { openRun } from "@/server/runner/open-run";
import { command, openDesk, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { ask, customersOf, decisionFor, drive, readRun } from "@/server/runner/testing/run";
import { loadSignerFromPem, type Signer } from "@/server/security/keyring";
import { listPublicKeys } from "@/server/security/trust-anchor";
import { releaseLease } from "@/server/store/ledger/run-heads";
import { openAlarms } from "@/server/store/trust/alarms";
import { freshSession } from "@/server/testing/caller";
import { testDatabase } from "@/server/testing/database";
import { createCaller } from "@/server/trpc/root";

const urls = await testDatabase("runner");
const installation = await testInstallation();
vi.stubEnv("COUNTERSIGN_HOME", installation.home);
const thief: Signer = loadSignerFromPem(generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString());
let desk: Desk;
let run: string;
let before: unknown;

const callerOf = (role: Role) =>
  createCaller({
    requestId: randomUUID(),
    address: "test",
    host: "localhost",
    signedIn: async () => ({
      user: { id: desk.people[role], name: role, email: `${role}@test.invalid` },
      workspace: { id: desk.workspace, name: "Support", demo: false },
      role,
      auditor: false,
      session: freshSession(),
    }),
  });

const plantKey = async (): Promise<void> => {
  const { kid, publicKey } = desk.deps.signer;
  const forward = { from: kid, to: thief.kid, to_key: thief.publicKey, at: 1 };
  const back = { from: thief.kid, to: kid, to_key: publicKey, at: 1 };
  for (const [from, key, statement] of [
    [kid, publicKey, forward],
    [thief.kid, thief.publicKey, back],
  ] as const) {
    const signature = thief.signDigest(computeHandoverDigest(statement));
    await query(urls.admin, "insert into key_hint (kid, public_key, handover) values ($1, $2, $3)", [
      from,
      key,
      JSON.stringify({ statement, signature, countersignature: signature }),
    ]);
  }
};

const decideAsThief = async (): Promise<void> => {
  const { state } = await readRun(desk, run);
  const id = await command(desk, run, desk.people.reviewer, decisionFor(desk, state, "approve"));
  const deps = { ...desk.deps, signer: thief };
  const opened = await openRun(deps, desk.workspace, run);
  if (!opened) throw new Error("the run was not opened");
  await decideCommands(deps, opened.session);
  opened.lease.end();
  await releaseLease(desk.workspace, run, opened.session.epoch);
  const [answered] = await query<{ status: string }>(urls.admin, "select status from command where id = $1", [id]);
  expect(answered?.status).toBe("accepted");
};

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  await writeFile(path.join(installation.home, "keys", "vault.key"), desk.keys.vault, { mode: 0o600 });
  await writeFile(path.join(installation.home, "keys", "signing.key"), desk.keys.pem, { mode: 0o600 });
  await writeFile(path.join(installation.home, "database.json"), JSON.stringify(urls), { mode: 0o600 });
  run = await startRun(desk, "honest", "01-upgrade.txt");
  await drive(desk, run);
  before = await customersOf(desk);
  await plantKey();
  await decideAsThief();
  await drive(desk, run);
}, 120_000);
afterAll(() => desk.mcp.close());

describe("a decision and receipt under a planted key", () => {
  test("have no effect: the run is frozen", async () => {
    expect(await customersOf(desk)).toEqual(before);
    const [row] = await query<{ frozen: string; status: string }>(urls.admin, "select frozen from run where id = $1", [run]);
    expect(row?.frozen).toMatch(/^unknown_key at record \d+$/u);
    const { state } = await readRun(desk, run).catch((error: Error) => ({ state: error.name }));
    expect(state).toBe("RunFrozen");
  });

  test("are named by the runner's keys, the server, the browser's keys, and the command line", async () => {
    expect(Object.keys(await listPublicKeys())).toEqual([desk.deps.signer.kid]);
    const page = await callerOf("admin").runs.records({ runId: run });
    const shown = { ...page, run };
    expect(await verifyLedger(shown, page.anchor ? getKeys(page.anchor) : {})).toMatchObject({ ok: false, reason: "unknown_key" });
    expect(await callerOf("admin").runs.verifyReplay({ runId: run })).toMatchObject({ ok: false, reason: "unknown_key" });
    expect(await callerOf("admin").session.trustAnchor()).toMatchObject({ anchor: { keys: [{ kid: desk.deps.signer.kid }] } });
    const { stdout: exported } = await countersign(["export", run], { COUNTERSIGN_HOME: installation.home });
    const { code, stdout } = await countersign(["verify", fileIn(installation.home, "run.json", exported)], {});
    expect([code, JSON.parse(stdout)]).toMatchObject([1, { ok: false, reason: "unknown_key" }]);
  });

  test("raise one alarm, counted, shown to admins only, and acknowledged on record", async () => {
    await ask(desk, run, desk.people.starter, { kind: "cancel" });
    expect((await collectRunnerMetrics(null)).text).toMatch(/countersign_trust_alarms_total\{reason="unknown_key"\} [1-9]/u);
    const [alarm, ...others] = await callerOf("admin").alarms.open();
    expect(others).toEqual([]);
    expect(alarm).toMatchObject({ kind: "unknown_key", runId: run, detail: expect.stringMatching(/^unknown_key at record/u) as string });
    for (const role of ["viewer", "builder", "reviewer"] as const) await expect(callerOf(role).alarms.open()).rejects.toThrow(/./u);

    const own = getWorkspaceLedgerId(desk.workspace);
    const acknowledge = async (person: string) => {
      const body = { kind: "acknowledge_alarm", alarm: alarm?.id ?? "" } as const;
      const id = await command(desk, own, person, body);
      await recordAttempts(desk.deps, desk.workspace, own);
      const [row] = await query<{ status: string }>(urls.admin, "select status from command where id = $1", [id]);

      return row?.status;
    };
    expect(await acknowledge(desk.people.reviewer)).toBe("refused");
    expect(await openAlarms(desk.workspace)).toHaveLength(1);
    expect(await acknowledge(desk.people.admin)).toBe("accepted");
    expect(await openAlarms(desk.workspace)).toEqual([]);
    expect(await acknowledge(desk.people.admin)).toBe("refused");
  });

  test("cannot be explained away through the web role's access to alarms", async () => {
    await useDatabase(urls.web);
    try {
      await expect(query(urls.web, "update trust_alarm set acknowledged_at = now()")).rejects.toThrow("permission denied");
      await expect(query(urls.web, "delete from trust_alarm")).rejects.toThrow("permission denied");
      await expect(query(urls.web, "select * from key_hint")).rejects.toThrow("permission denied");
    } finally {
      await useDatabase(urls.runner);
    }
  });
});
