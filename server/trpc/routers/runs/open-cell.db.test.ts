import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { recordSchema } from "@/lib/engine/ledger/record";
import { computeCommitment } from "@/lib/hash";
import { getKeys } from "@/lib/engine/ledger/trust-anchor";
import { verifyLedger } from "@/lib/engine/verify/verify";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { AppError } from "@/lib/errors";
import type { Role } from "@/lib/roles";
import { useDatabase } from "@/server/db/client";
import { closeRunBus } from "@/server/live/run-bus";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { bundleChild, runRunner } from "@/server/runner/testing/runner-process";
import { addMember, openDesk, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { drive } from "@/server/runner/testing/run";
import { openedSession } from "@/server/testing/caller";
import { testDatabase } from "@/server/testing/database";
import { createCaller } from "@/server/trpc/root";

vi.setConfig({ testTimeout: 60_000 });

const urls = await testDatabase("runner");
const installation = await testInstallation();
vi.stubEnv("COUNTERSIGN_HOME", installation.home);
const CANARY = "canary-Zwiebelfisch-4711";
let desk: Desk;
let run: string;
let auditor: string;

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  await bundleChild(installation);
  await mkdir(path.join(installation.home, "keys"), { recursive: true });
  await writeFile(path.join(installation.home, "keys", "vault.key"), desk.keys.vault, { mode: 0o600 });
  await query(urls.customers, "update customers.customer set name = $1", [CANARY]);
  auditor = await addMember(desk, "admin", { auditor: true, name: "Auditor" });
  run = await startRun(desk, "honest", "02-outage-credit.txt");
  await drive(desk, run);
  await useDatabase(urls.web);
}, 120_000);
afterAll(async () => {
  closeRunBus();
  await desk.mcp.close();
});

const callerOf = (role: Role, isAuditor = false, workspace = desk.workspace) => {
  const id = isAuditor ? auditor : desk.people[role];

  return createCaller({
    requestId: randomUUID(),
    address: "test",
    host: "localhost",
    signedIn: async () => ({
      user: { id, name: role, email: `${role}@test.invalid` },
      workspace: { id: workspace, name: "Support", demo: false },
      role,
      auditor: isAuditor,
      session: await openedSession(urls.admin, id),
    }),
  });
};

const answered = async <T>(asked: Promise<T>, target: string): Promise<T> => {
  const settled = asked.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  const pending = () => query(urls.admin, "select 1 from command where status = 'pending'");
  await expect.poll(async () => (await pending()).length, { timeout: 10_000 }).toBe(1);
  await runRunner({ desk, runId: target, leaseMs: 10_000, dieAfterRecord: null, dieAfterCall: null });
  const outcome = await settled;
  if ("error" in outcome) throw outcome.error;

  return outcome.value;
};
const refusalOf = async (asked: Promise<unknown>): Promise<string | null> => {
  const error: unknown = await asked.then(
    () => null,
    (reason: unknown) => reason,
  );
  const cause = error instanceof Error && error.cause instanceof AppError ? error.cause : error;
  if (!(cause instanceof AppError)) throw new Error("expected an AppError", { cause: error });

  return cause.refusal ?? cause.code;
};

const hiddenCell = async () => {
  const page = await callerOf("viewer").runs.records({ runId: run });
  const cell = page.cells.find(({ path: at, opened }) => at.startsWith("$result.") && opened === null);
  if (!cell) throw new Error("nothing is hidden");

  return { runId: run, seq: cell.seq, index: cell.index, purpose: "audit" as const, reason: "a subject access request" };
};
const recordAt = async (id: string, seq: number): Promise<unknown> => {
  const [row] = await query<{ body: string }>(urls.admin, "select body from ledger_record where run_id = $1 and seq = $2", [id, seq]);

  return JSON.parse(row?.body ?? "");
};
const lastRecord = async (id: string) => {
  const [row] = await query<{ body: string }>(urls.admin, "select body from ledger_record where run_id = $1 order by seq desc limit 1", [
    id,
  ]);

  return recordSchema.parse(JSON.parse(row?.body ?? ""));
};

describe("a hidden value", () => {
  test("is revealed to an auditor with its record, and otherwise to no one", async () => {
    const asked = await hiddenCell();
    const opened = await answered(callerOf("admin", true).runs.openCell(asked), run);
    expect(JSON.stringify(opened.content)).toContain(CANARY);
    const shown = opened.content.kind === "value" ? opened.content : null;
    const written = recordSchema.parse(await recordAt(run, asked.seq)).writes[asked.index];
    expect(computeCommitment(shown?.salt ?? "", shown?.value ?? null)).toBe(written?.commitment);
    const record = await lastRecord(run);
    expect(record).toMatchObject({ seq: opened.record, kind: "transition", proposal_kind: "open_cell" });
    expect(record.control).toMatchObject([
      { type: "cell_opened", path: opened.path, seq: asked.seq, index: asked.index, by: `user:${auditor}`, purpose: "audit" },
    ]);

    for (const role of ["viewer", "reviewer", "admin"] as const) {
      expect(await refusalOf(answered(callerOf(role).runs.openCell(asked), run))).toBe("opening_denied");
      const denied = await lastRecord(run);
      expect(denied).toMatchObject({ kind: "refusal", proposal_kind: "open_cell", principal: { id: desk.people[role], role } });
      expect(JSON.stringify(denied)).not.toContain(CANARY);
    }
    const page = await callerOf("viewer").runs.records({ runId: run });
    expect(JSON.stringify(page)).not.toContain(CANARY);
  });

  test("needs a stated purpose", async () => {
    const { reason: _reason, ...asked } = await hiddenCell();
    await expect(callerOf("admin", true).runs.openCell(asked)).rejects.toMatchObject({ code: "BAD_REQUEST" });
    expect(await query(urls.admin, "select 1 from command where status = 'pending'")).toEqual([]);
  });

  test("of another workspace or no run does not exist", async () => {
    const asked = await hiddenCell();
    expect(await refusalOf(callerOf("admin", true, randomUUID()).runs.openCell(asked))).toBe("not_found");
    expect(await refusalOf(callerOf("admin", true).runs.openCell({ ...asked, runId: randomUUID() }))).toBe("not_found");
    await asAdmin(urls.admin, "update command set status = 'refused' where status = 'pending'");
  });

  test("stays hidden when its record cannot be written", async () => {
    const asked = await hiddenCell();
    await asAdmin(
      urls.admin,
      `create or replace function refuse_entry() returns trigger language plpgsql as $$
       begin raise exception 'the disk is full'; end $$`,
    );
    await asAdmin(urls.admin, "create trigger refuse_entry before insert on ledger_record for each row execute function refuse_entry()");
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      const settled = refusalOf(callerOf("admin", true).runs.openCell(asked));
      await expect
        .poll(async () => (await query(urls.admin, "select 1 from command where status = 'pending'")).length, { timeout: 10_000 })
        .toBe(1);
      await runRunner({ desk, runId: run, leaseMs: 10_000, dieAfterRecord: null, dieAfterCall: null });
      vi.setSystemTime(Date.now() + 20_000);
      expect(await settled).toBe("runner_silent");
    } finally {
      vi.useRealTimers();
      await asAdmin(urls.admin, "drop trigger refuse_entry on ledger_record");
      await asAdmin(urls.admin, "update command set status = 'refused' where status = 'pending'");
    }
  });
});

describe("shredding from the web", () => {
  test("needs admin and auditor; afterwards the value is gone, and the browser's copy verifies", async () => {
    const asked = await hiddenCell();
    const scope = { type: "cell", seq: asked.seq, index: asked.index } as const;
    const shred = { runId: run, scope, reason: "erasure_request" } as const;
    const ledger = getWorkspaceLedgerId(desk.workspace);
    expect(await refusalOf(callerOf("builder").runs.shred(shred))).toBe("forbidden");
    expect(await refusalOf(answered(callerOf("admin").runs.shred(shred), ledger))).toBe("role_missing");
    await answered(callerOf("admin", true).runs.cancel({ runId: run }), run);
    const { record } = await answered(callerOf("admin", true).runs.shred(shred), ledger);
    expect(await lastRecord(ledger)).toMatchObject({ seq: record, control: [{ type: "cells_shredded", run }] });

    const opened = await answered(callerOf("admin", true).runs.openCell(asked), run);
    expect(opened.content).toEqual({ kind: "shredded" });
    const page = await callerOf("viewer").runs.records({ runId: run });
    expect(page.cells.find(({ seq, index }) => seq === asked.seq && index === asked.index)?.opened).toBe("shredded");
    const exported = { ...page, run };
    const keys = page.anchor ? getKeys(page.anchor) : {};
    expect(await verifyLedger(exported, keys)).toMatchObject({ ok: true, cellsShredded: 1 });
    expect(await verifyLedger({ ...exported, shreds: [] }, keys)).toEqual({ ok: false, seq: asked.seq, reason: "cell_missing" });
    expect(await callerOf("viewer").runs.verifyReplay({ runId: run })).toMatchObject({ ok: true, cellsShredded: 1 });
    expect((await callerOf("viewer").runs.state({ runId: run })).status).toBe("cancelled");
  });
});
