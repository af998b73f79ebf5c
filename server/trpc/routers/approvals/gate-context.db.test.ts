import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Role } from "@/lib/roles";
import { useDatabase } from "@/server/db/client";
import { testInstallation } from "@/server/mcp/testing/installation";
import { openDesk, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { ask, decisionFor, drive, openGateOf, readRun } from "@/server/runner/testing/run";
import { freshSession } from "@/server/testing/caller";
import { testDatabase } from "@/server/testing/database";
import { createCaller } from "@/server/trpc/root";

/** Visible to reviewers only. */
const CANARY = "canary-Zwiebelfisch-4711@example.com";

const urls = await testDatabase("runner");
const installation = await testInstallation();
vi.stubEnv("COUNTERSIGN_HOME", installation.home);

let desk: Desk;
let first: string;
let second: string;

const callerOf = (role: Role, user: string = desk.people[role]) =>
  createCaller({
    requestId: randomUUID(),
    address: "test",
    host: "localhost",
    signedIn: async () => ({
      user: { id: user, name: role, email: `${role}@test.invalid` },
      workspace: { id: desk.workspace, name: "Support", demo: false },
      role,
      auditor: false,
      session: freshSession(),
    }),
  });
const get = (role: Role, approval: string, user?: string) => callerOf(role, user).approvals.get({ approvalId: approval });

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  await mkdir(path.join(installation.home, "keys"), { recursive: true });
  await writeFile(path.join(installation.home, "keys", "vault.key"), desk.keys.vault, { mode: 0o600 });
  await query(urls.customers, "update customers.customer set name = $1", [CANARY]);
  const run = await startRun(desk, "honest", "02-outage-credit.txt");
  await drive(desk, run);
  const { state } = await readRun(desk, run);
  const { gate } = openGateOf(state);
  first = gate.id;
  await ask(desk, run, desk.people.builder, { kind: "comment", approval_id: gate.id, text: "Why this much?" });
  const call = decisionFor(desk, state, "approve");
  const edited = { customer_id: "cus_1001", plan: "team", credit_cents: 1, reason: "Less." };
  await ask(desk, run, desk.people.reviewer, {
    kind: "edit",
    approval_id: gate.id,
    transition_digest: call.transition_digest,
    nonce: call.nonce,
    change: { arguments: edited },
  });
  second = openGateOf((await readRun(desk, run)).state).gate.id;
  await useDatabase(urls.web);
}, 120_000);
afterAll(() => desk.mcp.close());

describe("an approval that replaced another by an edit", () => {
  test("shows its predecessor as asked, within the reader's clearance", async () => {
    const seen = await get("reviewer", second, desk.people.second);
    expect(seen.supersedes).toMatchObject({ approvalId: first, status: "superseded", view: { approval_id: first } });
    expect(seen.supersedes?.view.transition_digest).not.toBe(seen.view.transition_digest);
    expect((await get("viewer", second)).supersedes?.view.lines.every(({ op, after }) => op !== "call" || after?.hidden === true)).toBe(
      true,
    );
    expect((await get("viewer", first)).supersededBy).toBe(second);
  });

  test("cannot be approved by its editor alone, and shows edits and decisions to permitted readers", async () => {
    const editor = await get("reviewer", second);
    expect(editor.canDecide).toMatchObject({ ok: false, code: "own_edit" });
    expect(editor.mayEdit).toEqual({ ok: true });
    expect((await get("reviewer", second, desk.people.second)).canDecide).toEqual({ ok: true });
    const barredFor = async (user?: string) => (await callerOf("reviewer", user).approvals.summaries({ ids: [second] }))[0]?.barred;
    expect(await barredFor()).toBe("You edited this proposal. Someone else must decide.");
    expect(await barredFor(desk.people.second)).toBeNull();
    expect((await get("builder", second)).mayEdit).toMatchObject({ ok: false, code: "role_missing" });
    expect((await get("reviewer", first, desk.people.second)).mayEdit).toMatchObject({ ok: false, code: "approval_closed" });
  });

  test("explains unavailable change requests, the rejection path, the reason, and the authority", async () => {
    const seen = await get("reviewer", second, desk.people.second);
    expect(seen.mayRequestChanges).toMatchObject({ ok: false, code: "changes_unsupported" });
    expect(seen.ifRejected).toMatchObject({ next: { node: "reply_declined" }, ends: null, undone: [] });
    expect(seen.policy.map(({ code }) => code)).toEqual(expect.arrayContaining(["asked_approval_node", "edited", "effect_write"]));
    // The edit names another customer than looked up.
    expect(seen.authority).toEqual({ class: "write", risk: "high" });
    expect(seen.view.signals.map(({ code }) => code)).toContain("different_record");
    expect(seen.cost.worstAfter === null || seen.cost.worstAfter >= seen.cost.soFar).toBe(true);
  });
});

describe("comments", () => {
  test("are shown with authors, in order", async () => {
    const { comments, people } = await get("viewer", first);
    expect(comments).toMatchObject([{ user: desk.people.builder, text: "Why this much?" }]);
    expect(people[desk.people.builder]).toBe("builder");
  });
});

test.each(["viewer", "builder", "admin"] as const)("reveal nothing hidden to a %s", async (role) => {
  for (const approval of [first, second]) expect(JSON.stringify(await get(role, approval))).not.toContain("canary");
});
