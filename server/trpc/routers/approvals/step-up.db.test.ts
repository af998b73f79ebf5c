import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { AppError } from "@/lib/errors";
import { useDatabase } from "@/server/db/client";
import { closeRunBus } from "@/server/live/run-bus";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { openDesk, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { drive } from "@/server/runner/testing/run";
import { callerAs, freshSession, staleSession } from "@/server/testing/caller";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
vi.stubEnv("COUNTERSIGN_HOME", installation.home);
let desk: Desk;
let run: string;
let approval: string;

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  await mkdir(path.join(installation.home, "keys"), { recursive: true });
  await writeFile(path.join(installation.home, "keys", "vault.key"), desk.keys.vault, { mode: 0o600 });
  run = await startRun(desk, "honest", "02-outage-credit.txt");
  await drive(desk, run);
  const [row] = await query<{ id: string }>(urls.admin, "select id from approval where run_id = $1 and status = 'open'", [run]);
  approval = row?.id ?? "";
  await useDatabase(urls.web);
}, 120_000);
afterAll(async () => {
  closeRunBus();
  await desk.mcp.close();
});

const codeOf = async (call: Promise<unknown>): Promise<string> => {
  try {
    await call;
  } catch (error) {
    return error instanceof Error && error.cause instanceof AppError ? error.cause.code : String(error);
  }

  return "none";
};
const pending = () => query<{ id: string }>(urls.admin, "select id from command where status = 'pending'");

const answered = async (call: Promise<unknown>): Promise<string> => {
  const settled = { code: null as string | null };
  const code = codeOf(call).then((said) => (settled.code = said));
  await vi.waitFor(async () => expect(settled.code !== null || (await pending()).length === 1).toBe(true));
  await asAdmin(urls.admin, `update command set status = 'accepted', outcome = '{"seq":0,"refusal":null}' where status = 'pending'`);

  return code;
};

const decide = async (authority: string | null, decision: "approve" | "reject", extra: object = {}, session = staleSession()) => {
  await asAdmin(urls.admin, "update approval set authority = $2 where id = $1", [approval, authority]);
  const digest = "0".repeat(64);
  const body = { approvalId: approval, transitionDigest: digest, viewDigest: digest, decision, nonce: randomUUID(), reason: "because" };

  return answered(callerAs(desk.workspace, "reviewer", { id: desk.people.reviewer, session }).approvals.decide({ ...body, ...extra }));
};
const assertion = { credential_id: "AA", authenticator_data: "AA", client_data_json: "AA", signature: "AA" };

test.each(["irreversible", "protected", null])("approving %s needs a fresh proof before anything is sent", async (authority) => {
  expect(await decide(authority, "approve")).toBe("step_up_required");
  expect(await pending()).toEqual([]);
  expect(await decide(authority, "approve", {}, freshSession())).toBe("none");
});

test("rejecting, approving reversible effects, and passkey signatures need none", async () => {
  expect(await decide("irreversible", "reject")).toBe("none");
  expect(await decide("write", "approve")).toBe("none");
  expect(await decide("irreversible", "approve", { assertion })).toBe("none");
});

test("audit reveals need one, for one value or all", async () => {
  const auditor = callerAs(desk.workspace, "reviewer", { id: desk.people.reviewer, auditor: true, session: staleSession() });
  const cell = { runId: run, seq: 0, index: 0, purpose: "audit", reason: "because" } as const;

  expect(await answered(auditor.runs.openCell(cell))).toBe("step_up_required");
  expect(await answered(auditor.runs.openHidden({ runId: run, reason: "because" }))).toBe("step_up_required");
  expect(await pending()).toEqual([]);
  expect(await answered(auditor.runs.openCell({ ...cell, purpose: "review", caseId: randomUUID() }))).not.toBe("step_up_required");
});
