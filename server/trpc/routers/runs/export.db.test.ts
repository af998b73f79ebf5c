import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { parseExport, verifyExport, type RunExport } from "@/lib/engine/ledger/export";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import type { Role } from "@/lib/roles";
import { useDatabase } from "@/server/db/client";
import { closeRunBus } from "@/server/live/run-bus";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { bundleChild, runRunner } from "@/server/runner/testing/runner-process";
import { addMember, openDesk, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { forkRun } from "@/server/runner/testing/fork";
import { drive } from "@/server/runner/testing/run";
import { callerAs, freshSession, openedSession } from "@/server/testing/caller";
import { testDatabase } from "@/server/testing/database";
import { bundleResponse } from "@/server/web/bundle-stream";

vi.setConfig({ testTimeout: 60_000 });

const CANARY = "canary-Seeschwalbe-8840";

const urls = await testDatabase("runner");
const installation = await testInstallation();
vi.stubEnv("COUNTERSIGN_HOME", installation.home);

let desk: Desk;
let run: string;
let fork: string;
let auditor: string;

const answered = async <T>(asked: Promise<T>, target: string): Promise<T> => {
  const asking = { isOpen: true };
  const settled = asked
    .then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    )
    .finally(() => (asking.isOpen = false));
  const pending = async () => (await query(urls.admin, "select 1 from command where status = 'pending'")).length;
  while (asking.isOpen) {
    await expect.poll(async () => !asking.isOpen || (await pending()) > 0, { timeout: 20_000 }).toBe(true);
    if (asking.isOpen) await runRunner({ desk, runId: target, leaseMs: 10_000, dieAfterRecord: null, dieAfterCall: null });
  }
  const outcome = await settled;
  if ("error" in outcome) throw outcome.error;

  return outcome.value;
};

const runsOf = async (role: Role, { id = desk.people[role], isAuditor = false } = {}) =>
  callerAs(desk.workspace, role, { id, auditor: isAuditor, session: await openedSession(urls.admin, id) }).runs;

const attest = async (id: string) => answered((await runsOf("viewer")).attest({ runId: id }), getWorkspaceLedgerId(desk.workspace));

const download = (
  id: string,
  role: Role,
  { workspace = desk.workspace, user = desk.people[role], isAuditor = false } = {},
  nowMs = Date.now(),
) =>
  bundleResponse(
    id,
    {
      requestId: randomUUID(),
      signedIn: async () => ({
        user: { id: user, name: role, email: `${role}@test.invalid` },
        workspace: { id: workspace, name: "Support", demo: false },
        role,
        auditor: isAuditor,
        session: freshSession(),
      }),
    },
    nowMs,
  );

const bundleOf = async (response: Response): Promise<RunExport> => {
  const parsed = parseExport(await response.json());
  if (!parsed.ok) throw new Error(parsed.error);

  return parsed.value;
};

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  await bundleChild(installation);
  await mkdir(path.join(installation.home, "keys"), { recursive: true });
  await writeFile(path.join(installation.home, "keys", "vault.key"), desk.keys.vault, { mode: 0o600 });
  await query(urls.customers, "update customers.customer set name = $1", [CANARY]);
  auditor = await addMember(desk, "admin", { auditor: true, name: "Auditor" });
  run = await startRun(desk, "honest", "02-outage-credit.txt");
  await drive(desk, run);
  ({ run: fork } = await forkRun(desk, run, 2, { type: "model", model: "scripted:compromised" }));
  await drive(desk, fork);
  closeRunBus();
  await useDatabase(urls.web);
}, 120_000);
afterAll(async () => {
  closeRunBus();
  await desk.mcp.close();
});

describe("a browser's bundle", () => {
  test("verifies with the keys, has the signed head, and nothing hidden from its reader", async () => {
    expect((await download(run, "viewer")).status).toBe(404);
    const { record } = await attest(run);
    const response = await download(run, "viewer");
    expect(response.headers.get("Content-Disposition")).toContain("attachment");
    const bundle = await bundleOf(response);
    expect(JSON.stringify(bundle)).not.toContain(CANARY);
    expect(bundle.ledger.cells.some(({ opened }) => opened === null)).toBe(true);
    expect(bundle.head_signed?.statement).toMatchObject({ run, version: record + 1, head: bundle.ledger.head.digest });
    expect(await verifyExport(bundle, bundle.public_keys)).toMatchObject({ ok: true, records: record + 1 });
  });

  test("of a fork has its parent's records and verifies", async () => {
    const { record } = await attest(fork);
    const bundle = await bundleOf(await download(fork, "viewer"));

    expect(await verifyExport(bundle, bundle.public_keys)).toMatchObject({ ok: true, records: record + 1 });
    expect(new Set(bundle.ledger.records.map(({ body }) => (JSON.parse(body) as { run: string }).run))).toEqual(new Set([run, fork]));
  });

  test("cannot be truncated with its head: the signed head names the missing record", async () => {
    const bundle = await bundleOf(await download(run, "viewer"));
    const records = bundle.ledger.records.slice(0, -1);
    const last = records.at(-1);
    const ledger = {
      ...bundle.ledger,
      records,
      cells: bundle.ledger.cells.filter(({ seq }) => seq < records.length),
      head: { version: records.length, digest: last?.digest ?? "" },
    };

    expect(await verifyExport({ ...bundle, ledger }, bundle.public_keys)).toEqual({ ok: false, seq: records.length, reason: "truncated" });
    const { head_signed: _word, ...without } = bundle;
    expect(await verifyExport({ ...without, ledger }, bundle.public_keys)).toMatchObject({ ok: true });
    const forged = { ...bundle.head_signed, statement: { ...bundle.head_signed?.statement, version: 1 } } as RunExport["head_signed"];
    expect(await verifyExport({ ...bundle, head_signed: forged }, bundle.public_keys)).toMatchObject({ ok: false, reason: "head" });
  });

  test("is not signed again when a signed record is gone", async () => {
    await asAdmin(urls.admin, "alter table run_attestation disable trigger insert_only");
    await asAdmin(urls.admin, "update run_attestation set head = repeat('0', 64) where run_id = $1", [run]);
    try {
      await expect(attest(run)).rejects.toThrow(/ledger does not verify/u);
    } finally {
      await asAdmin(urls.admin, "delete from run_attestation where run_id = $1", [run]);
      await asAdmin(urls.admin, "alter table run_attestation enable trigger insert_only");
      await attest(run);
    }
  });

  test("has hidden values only for an auditor's recorded reveal, with a reason, for ten minutes", async () => {
    const runs = await runsOf("admin", { id: auditor, isAuditor: true });
    const as = { user: auditor, isAuditor: true };
    expect(JSON.stringify(await bundleOf(await download(run, "admin", as)))).not.toContain(CANARY);
    await expect((await runsOf("admin")).openHidden({ runId: run, reason: "audit 7" })).rejects.toThrow(/Only auditors/u);
    const { opened } = await answered(runs.openHidden({ runId: run, reason: "audit 7" }), run);
    await attest(run);
    const whole = await bundleOf(await download(run, "admin", as));
    expect(JSON.stringify(whole)).toContain(CANARY);
    const said = whole.ledger.records.flatMap(({ body }) => body.match(/"type":"cell_opened"/gu) ?? []);
    expect(said).toHaveLength(opened);
    expect(await verifyExport(whole, whole.public_keys)).toMatchObject({ ok: true });

    expect(JSON.stringify(await bundleOf(await download(run, "admin", as, Date.now() + 11 * 60_000)))).not.toContain(CANARY);
    expect(JSON.stringify(await bundleOf(await download(run, "viewer")))).not.toContain(CANARY);
    expect(JSON.stringify(await bundleOf(await download(run, "admin", { user: auditor })))).not.toContain(CANARY);
  }, 120_000);

  test("of another workspace's run does not exist, and the attempt is on record", async () => {
    expect((await download(run, "admin", { workspace: randomUUID() })).status).toBe(404);
    await expect((await runsOf("viewer")).attest({ runId: randomUUID() })).rejects.toThrow(/Not found/u);
    const [kept] = await query<{ kind: string }>(urls.admin, "select kind from command where status = 'pending'");
    expect(kept?.kind).toBe("read");
  });
});
