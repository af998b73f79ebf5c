import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { listToSee } from "@/lib/engine/approvals/view-parts";
import { buildApprovalView } from "@/lib/engine/approvals/approval-view";
import type { Role } from "@/lib/roles";
import { useDatabase } from "@/server/db/client";
import { testInstallation } from "@/server/mcp/testing/installation";
import { openDesk, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { ask, decisionFor, drive, openGateOf, readRun } from "@/server/runner/testing/run";
import { loadDecidedCalls } from "@/server/store/approvals/history";
import { callerAs } from "@/server/testing/caller";
import { testDatabase } from "@/server/testing/database";

const MAIL = "02-outage-credit.txt";

const urls = await testDatabase("runner");
const installation = await testInstallation();
vi.stubEnv("COUNTERSIGN_HOME", installation.home);

let desk: Desk;
let approved: string;
let approvedRun: string;
let waiting: string;
let hostile: string;
let afterwards: readonly string[];

const callerOf = (role: Role) => callerAs(desk.workspace, role, { id: desk.people[role] });

const waitingRun = async (persona: string): Promise<{ readonly run: string; readonly approval: string }> => {
  const run = await startRun(desk, persona, MAIL);
  await drive(desk, run);

  return { run, approval: openGateOf((await readRun(desk, run)).state).gate.id };
};

const signalsOf = async (role: Role, approval: string) =>
  (await callerOf(role).approvals.get({ approvalId: approval })).view.signals.filter(({ code }) => /history|first/u.test(code));

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  await mkdir(path.join(installation.home, "keys"), { recursive: true });
  await writeFile(path.join(installation.home, "keys", "vault.key"), desk.keys.vault, { mode: 0o600 });
  const first = await waitingRun("honest");
  [approved, approvedRun] = [first.approval, first.run];
  const { state } = await readRun(desk, first.run);
  const toSee = listToSee(buildApprovalView(desk.published, state, openGateOf(state), "pii")).length;
  const decision = decisionFor(desk, state, "approve");
  const viewing = (unopened: number) => ({ open_ms: 48_000, opened: toSee - 1, unopened });
  afterwards = [
    (await ask(desk, first.run, desk.people.reviewer, { ...decision, viewing: viewing(0) })).refusal?.code ?? "accepted",
    (await ask(desk, first.run, desk.people.reviewer, { ...decision, viewing: viewing(1) })).refusal?.code ?? "accepted",
  ];
  waiting = (await waitingRun("honest")).approval;
  hostile = (await waitingRun("compromised")).approval;
  await query(urls.admin, "update run set frozen = 'test' where id = $1", [approvedRun]);
  const frozen = await waitingRun("compromised");
  await query(urls.admin, "update run set frozen = null where id = $1", [approvedRun]);
  afterwards = [...afterwards, frozen.approval];
  await useDatabase(urls.web);
}, 180_000);
afterAll(() => desk.mcp.close());

describe("a call outside the graph's history", () => {
  test("is compared with approved calls of other runs", async () => {
    expect(await signalsOf("reviewer", approved)).toMatchObject([{ code: "first_tool", risk: "low" }]);
    expect(await signalsOf("reviewer", waiting)).toEqual([]);
    expect(await signalsOf("reviewer", hostile)).toEqual([
      { code: "amount_history", risk: "high", text: "Credit is 400 times the largest approved in this graph ($25.00 in 90 days)." },
    ]);
  });

  test("tells no value to those who may not see it, and its row only a code", async () => {
    expect(await signalsOf("builder", hostile)).toEqual([
      { code: "amount_history", risk: "high", text: "An amount is above the largest approved in this graph in 90 days." },
    ]);
    const [row] = await query<{ signals: string[]; risk: string }>(urls.admin, "select signals, risk from approval where id = $1", [
      hostile,
    ]);
    expect(row).toMatchObject({
      risk: "high",
      signals: expect.arrayContaining(["amount_history", "different_record", "attempts"]) as unknown,
    });
  });

  test("ignores runs whose ledger does not verify", async () => {
    expect(await signalsOf("reviewer", afterwards[2] ?? "")).toMatchObject([{ code: "first_tool" }]);
  });
});

describe("what the reviewer had seen", () => {
  test("must add up to the values of the view, and is part of the record", async () => {
    expect(afterwards.slice(0, 2)).toEqual(["view_mismatch", "accepted"]);
    const { decisions } = await callerOf("viewer").approvals.get({ approvalId: approved });
    expect(decisions).toMatchObject([
      { user: desk.people.reviewer, decision: "approve", isSigned: false, viewing: { openMs: 48_000, unopened: 1, signals: 2 } },
    ]);
    const { records } = await readRun(desk, approvedRun);
    expect(records[decisions[0]?.seq ?? -1]?.record.writes.map((write) => write.path)).toContain(`$viewing.${approved}`);
  });
});

describe("similar decisions", () => {
  test("are those about the same target, with who decided", async () => {
    const similar = await callerOf("reviewer").approvals.similar({ approvalId: waiting });
    expect(similar).toMatchObject({
      targets: { customer_id: "cus_1002" },
      approved: 1,
      alike: 1,
      rejected: 0,
      decisions: [
        { id: approved, status: "approved", deciders: [desk.people.reviewer], summary: "Move cus_1002 to team with a $25.00 credit" },
      ],
      people: { [desk.people.reviewer]: "reviewer" },
    });
    expect(await callerOf("reviewer").approvals.similar({ approvalId: hostile })).toMatchObject({ approved: 0, decisions: [] });
  });

  test("are not told to those who may not see the target", async () => {
    expect(await callerOf("builder").approvals.similar({ approvalId: waiting })).toBeNull();
    await expect(callerOf("reviewer").approvals.similar({ approvalId: randomUUID() })).rejects.toThrow();
  });

  test.each([
    ["the run itself", false, false],
    ["a fork of the run", true, false],
    ["the run that it forked", false, true],
  ])("are not read while %s is under review", async (_what, isParent, isFork) => {
    const [other] = await query<{ run_id: string }>(urls.admin, "select run_id from approval where id = $1", [hostile]);
    const relative = other?.run_id ?? "";
    const list = async () => (await loadDecidedCalls(desk.workspace, "customers", "update_plan", 10)).map(({ id }) => id);
    const fork = (parent: string | null, run: string) => query(urls.admin, "update run set parent_run = $1 where id = $2", [parent, run]);
    expect(await list()).toContain(approved);
    if (isParent) await fork(approvedRun, relative);
    if (isFork) await fork(relative, approvedRun);
    await query(
      urls.admin,
      `insert into review_case (workspace_id, id, run_id, node, subject_digest, quorum, producers, opened_at, expires_at)
       values ($1, $2, $3, 'test', '', 1, '{}', now(), now())`,
      [desk.workspace, randomUUID(), isParent || isFork ? relative : approvedRun],
    );
    expect(await list()).not.toContain(approved);
    await query(urls.admin, "delete from review_case where node = 'test'");
    await fork(null, relative);
    await fork(null, approvedRun);
  });
});
