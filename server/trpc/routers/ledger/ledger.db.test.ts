import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AppError } from "@/lib/errors";
import { isCovered } from "@/lib/engine/ledger/checkpoint";
import { goesOn } from "@/lib/engine/ledger/checkpoint-file";
import { verifyWorkspaceExport } from "@/lib/engine/verify/verify-workspace-export";
import { parseWorkspaceText, type WorkspaceExport } from "@/lib/engine/ledger/workspace-export";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import type { SignedIn } from "@/server/auth/signed-in";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { recordAttempts } from "@/server/runner/attempts";
import { takeCheckpoint } from "@/server/runner/checkpoint";
import { command, openDesk, startRun, type Desk } from "@/server/runner/testing/desk";
import { drive } from "@/server/runner/testing/run";
import { findCommandOutcome } from "@/server/store/runs/commands";
import { listPublicKeys } from "@/server/security/trust-anchor";
import { findCheckpoint } from "@/server/store/workspaces/pages";
import { callerAs, freshSession } from "@/server/testing/caller";
import { testDatabase } from "@/server/testing/database";
import { respondLedgerDownload, respondLedgerRecords } from "@/server/web/ledger-download";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
let run: string;

const finishedRun = async (): Promise<string> => {
  const id = await startRun(desk, "honest", "01-upgrade.txt");
  await drive(desk, id);

  return id;
};
const member = (role: SignedIn["role"], auditor = false, workspace = desk.workspace): SignedIn => ({
  user: { id: randomUUID(), name: role, email: `${role}@test.invalid` },
  workspace: { id: workspace, name: "Support", demo: false },
  role,
  auditor,
  session: freshSession(),
});
const asked = (who: SignedIn | null) => ({ signedIn: async () => who, requestId: "request" });
const parsed = async (response: Response): Promise<WorkspaceExport> => {
  const read = parseWorkspaceText(await response.text());
  if (!read.ok) throw new Error(read.error);

  return read.value;
};

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  run = await finishedRun();
  await takeCheckpoint(desk.deps, desk.workspace);
  await finishedRun();
  await takeCheckpoint(desk.deps, desk.workspace);
}, 120_000);
afterAll(() => desk.mcp.close());

describe("the ledger for a viewer", () => {
  it("has sizes, counted records, and valid proofs", async () => {
    const caller = callerAs(desk.workspace, "viewer");
    const keys = await listPublicKeys();
    const { counts, newest, ownLedger } = await caller.ledger.overview();
    expect(counts).toMatchObject({ logged: counts.records, checkpoints: 2 });
    expect(newest?.checkpoint.count).toBe(counts.records);
    expect(ownLedger).toBe(getWorkspaceLedgerId(desk.workspace));

    const { checkpoints, nextCursor } = await caller.ledger.checkpoints({ limit: 1 });
    const { checkpoints: older } = await caller.ledger.checkpoints({ limit: 1, cursor: nextCursor });
    const [to, from] = [checkpoints[0], older[0]];
    if (!to || !from) throw new Error("there are two");
    const { proof } = await caller.ledger.consistency({ from: from.checkpoint.count, to: to.checkpoint.count });
    expect(goesOn(from, to, proof)).toBe(true);
    expect(await findCheckpoint(desk.workspace, to.checkpoint.count)).toEqual(to);

    const found = await caller.ledger.inclusion({ runId: run, seq: 1 });
    if (!found) throw new Error("it is counted");
    expect(await isCovered(found, desk.workspace, { run, seq: 1, digest: found.leaf.digest }, keys)).toBe(true);
    expect(await isCovered(found, desk.workspace, { run, seq: 2, digest: found.leaf.digest }, keys)).toBe(false);
    expect(await caller.ledger.inclusion({ runId: run, seq: 9_999 })).toBeNull();
    await expect(caller.ledger.consistency({ from: 1, to: 99_999 })).rejects.toMatchObject({ cause: expect.any(AppError) as AppError });
  });

  it("is separate per workspace", async () => {
    const other = randomUUID();
    await asAdmin(urls.admin, "insert into workspace (id, name) values ($1, 'Other')", [other]);
    const caller = callerAs(other, "admin");

    expect(await caller.ledger.overview()).toMatchObject({ newest: null, counts: { records: 0, logged: 0, checkpoints: 0 } });
    expect(await caller.ledger.inclusion({ runId: run, seq: 1 })).toBeNull();
    expect(await parsed(await respondLedgerDownload(asked(member("admin", false, other)), 0))).toMatchObject({ records: [], leaves: [] });
  });
});

describe("a workspace's record stream", () => {
  it("verifies while the workspace continues", async () => {
    const response = await respondLedgerRecords(asked(member("viewer")));
    const more = finishedRun();
    const document = await parsed(response);
    await more;

    expect(await verifyWorkspaceExport(document, await listPublicKeys())).toMatchObject({ ok: true, checkpoints: 2 });
  });

  it("shows an unstarted run as foreign", async () => {
    const forged = randomUUID();
    await asAdmin(
      urls.admin,
      `insert into ledger_record (workspace_id, run_id, seq, body, digest, kid, signature)
       select workspace_id, $1, seq, body, digest, kid, signature from ledger_record where run_id = $2`,
      [forged, run],
    );
    const document = await parsed(await respondLedgerRecords(asked(member("viewer"))));
    await asAdmin(
      urls.admin,
      `do $$ begin set local session_replication_role = replica; delete from ledger_record where run_id = '${forged}'; end $$`,
    );

    expect(await verifyWorkspaceExport(document, await listPublicKeys())).toMatchObject({
      ok: false,
      run: forged,
      seq: 0,
      reason: "wrong_run",
    });
  });

  it.each([
    ["admin", false, 200],
    ["viewer", true, 200],
    ["builder", false, 403],
    ["reviewer", false, 403],
    ["viewer", false, 403],
  ] as const)("is a file for %s (auditor: %s): %s", async (role, auditor, status) => {
    expect((await respondLedgerDownload(asked(member(role, auditor)), 0)).status).toBe(status);
    expect((await respondLedgerRecords(asked(member(role, auditor)))).status).toBe(200);
  });

  it("requires sign-in", async () => {
    expect((await respondLedgerDownload(asked(null), 0)).status).toBe(401);
    expect((await respondLedgerRecords(asked(null))).status).toBe(401);
  });
});

describe("a checkpoint now", () => {
  const ask = async (by: string) => {
    const own = getWorkspaceLedgerId(desk.workspace);
    const id = await command(desk, own, by, { kind: "checkpoint" });
    await recordAttempts(desk.deps, desk.workspace, own);

    return findCommandOutcome(desk.workspace, id);
  };

  it("is taken by the runner for a permitted person, and reused while nothing is new", async () => {
    await finishedRun();
    const first = await ask(desk.people.builder);
    const { counts, newest } = await callerAs(desk.workspace, "builder").ledger.overview();
    expect(first).toEqual({ seq: counts.records, refusal: null });
    expect(newest?.checkpoint.count).toBe(counts.records);
    expect(await ask(desk.people.builder)).toEqual(first);
  });

  it("is denied to a viewer, even past the web process", async () => {
    await finishedRun();
    const before = await callerAs(desk.workspace, "viewer").ledger.overview();
    expect(await ask(desk.people.viewer)).toMatchObject({ refusal: { code: "role_missing" } });
    expect((await callerAs(desk.workspace, "viewer").ledger.overview()).newest).toEqual(before.newest);
    await expect(callerAs(desk.workspace, "viewer").ledger.takeCheckpoint()).rejects.toMatchObject({
      cause: expect.objectContaining({ code: "forbidden" }) as unknown,
    });
  });

  it("is not signed over a log inconsistent with its newest checkpoint", async () => {
    await finishedRun();
    await asAdmin(
      urls.admin,
      "do $$ begin set local session_replication_role = replica; update checkpoint set frontier = frontier[1:1] || '{" +
        "0".repeat(64) +
        "}'; end $$",
    );
    expect(await ask(desk.people.builder)).toMatchObject({ refusal: { code: "run_frozen" } });
  });
});
