import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getClearance } from "@/lib/engine/approvals/policy";
import { buildApprovalView, computeViewDigest } from "@/lib/engine/approvals/approval-view";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { command, openDesk, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { ask, customersOf, decisionFor, drive, openGateOf, readRun } from "@/server/runner/testing/run";
import { listDueRuns } from "@/server/store/ledger/run-heads";
import { recordRows } from "@/server/testing/authority";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
beforeAll(async () => {
  desk = await openDesk(urls, installation);
}, 120_000);
afterAll(() => desk.mcp.close());

const waitingRun = async () => {
  const run = await startRun(desk, "honest", "02-outage-credit.txt");
  await drive(desk, run);
  const { state } = await readRun(desk, run);

  return { run, state, before: await customersOf(desk) };
};

const changeRow = async (sql: string, person: string): Promise<void> => {
  await asAdmin(urls.admin, sql, [person]);
  await recordRows(desk.deps, desk.workspace);
};

describe("a decision", () => {
  it("counts once: twice the same, sequential or concurrent, has one effect", async () => {
    const { run, state, before } = await waitingRun();
    const decision = decisionFor(desk, state, "approve");
    const [first, second] = await Promise.all([
      command(desk, run, desk.people.reviewer, decision),
      command(desk, run, desk.people.second, decision),
    ]);
    await drive(desk, run);
    const answers = await query<{ id: string; status: string; outcome: { refusal: { code: string } | null } }>(
      urls.admin,
      "select id, status, outcome from command where id = any($1)",
      [[first, second]],
    );
    expect(answers.map((answer) => answer.status).toSorted()).toEqual(["accepted", "refused"]);
    expect(answers.find((answer) => answer.status === "refused")?.outcome.refusal?.code).toBe("approval_closed");
    const again = await ask(desk, run, desk.people.reviewer, decision);
    expect(again.refusal?.code).toBe("run_finished");
    expect((await customersOf(desk)).applied).toBe(before.applied + 1);
  });

  it("delivered again under the same id is answered from the ledger and changes nothing", async () => {
    const { run, state } = await waitingRun();
    const id = await command(desk, run, desk.people.reviewer, decisionFor(desk, state, "approve"));
    const [sent] = await query<{ body: Buffer }>(urls.admin, "select body from command where id = $1", [id]);
    await drive(desk, run);
    const { records } = await readRun(desk, run);
    const [answered] = await query<{ outcome: unknown }>(urls.admin, "select outcome from command where id = $1", [id]);
    await asAdmin(urls.admin, "update command set status = 'pending', outcome = null, body = $2 where id = $1", [id, sent?.body]);
    await drive(desk, run);
    expect((await readRun(desk, run)).records).toHaveLength(records.length);
    expect((await query(urls.admin, "select outcome from command where id = $1", [id]))[0]).toEqual(answered);
  });

  it.each([
    { what: "another transition", change: { transition_digest: "0".repeat(64) }, code: "transition_mismatch" },
    { what: "another view than the server shows", change: { view_digest: "0".repeat(64) }, code: "view_mismatch" },
    { what: "another approval's nonce", change: { nonce: randomUUID() }, code: "nonce_mismatch" },
    { what: "an approval that does not exist", change: { approval_id: randomUUID() }, code: "approval_unknown" },
  ])("for $what gets a recorded refusal, and the gate stays open", async ({ change, code }) => {
    const { run, state, before } = await waitingRun();
    const outcome = await ask(desk, run, desk.people.reviewer, { ...decisionFor(desk, state, "approve"), ...change });
    expect(outcome.refusal?.code).toBe(code);
    const after = await readRun(desk, run);
    expect(after.state.status).toBe("waiting");
    expect(after.state.refusals).toBe(1);
    expect(await customersOf(desk)).toEqual(before);
  });

  it.each([
    { who: "viewer", code: "role_missing" },
    { who: "admin", code: "role_missing" },
    { who: "starter", code: "role_missing" },
  ] as const)("by a $who is refused", async ({ who, code }) => {
    const { run, state } = await waitingRun();
    const membership = { role: who === "starter" ? "builder" : who, auditor: false } as const;
    const view = buildApprovalView(desk.published, state, openGateOf(state), getClearance(membership));
    const outcome = await ask(desk, run, desk.people[who], {
      ...decisionFor(desk, state, "approve"),
      view_digest: computeViewDigest(view),
    });
    expect(outcome.refusal?.code).toBe(code);
    expect((await readRun(desk, run)).state.status).toBe("waiting");
  });

  it("by the run's starter, or by a user disabled meanwhile, is refused", async () => {
    const { run, state } = await waitingRun();
    await changeRow("update membership set role = 'reviewer' where user_id = $1", desk.people.starter);
    expect((await ask(desk, run, desk.people.starter, decisionFor(desk, state, "approve"))).refusal?.code).toBe("own_run");
    await changeRow("update membership set role = 'builder' where user_id = $1", desk.people.starter);
    await changeRow("update membership set role = 'reviewer' where user_id = $1", desk.people.builder);
    expect((await ask(desk, run, desk.people.builder, decisionFor(desk, state, "approve"))).refusal?.code).toBe("own_version");
    await changeRow("update membership set role = 'builder' where user_id = $1", desk.people.builder);
    await changeRow("update membership set disabled_at = now() where user_id = $1", desk.people.second);
    expect((await ask(desk, run, desk.people.second, decisionFor(desk, state, "approve"))).refusal?.code).toBe("not_found");
    await changeRow("update membership set disabled_at = null where user_id = $1", desk.people.second);
  });

  it("is about the proposal that was displayed: one changed in the database meanwhile freezes the run", async () => {
    const { run, state, before } = await waitingRun();
    const gate = openGateOf(state);
    await asAdmin(urls.admin, "alter table cell disable trigger insert_only");
    await asAdmin(urls.admin, "update cell set sealed = set_byte(sealed, 20, get_byte(sealed, 20) # 1) where run_id = $1 and path = $2", [
      run,
      `$pending.${gate.gate.id}`,
    ]);
    await asAdmin(urls.admin, "alter table cell enable trigger insert_only");
    const outcome = await ask(desk, run, desk.people.reviewer, decisionFor(desk, state, "approve"));
    expect(outcome.refusal?.code).toBe("run_frozen");
    const [row] = await query<{ frozen: string }>(urls.admin, "select frozen from run where id = $1", [run]);
    expect(row?.frozen).toBe("cell_unreadable at record 19");
    await asAdmin(urls.admin, "update run set status = 'running' where id = $1", [run]);
    expect((await listDueRuns(1_000)).map((due) => due.runId)).not.toContain(run);
    await command(desk, run, desk.people.builder, { kind: "cancel" });
    expect((await listDueRuns(1_000)).map((due) => due.runId)).toContain(run);
    expect(await customersOf(desk)).toEqual(before);
  });
});

describe("an approval", () => {
  it("without a decision is rejected by the engine's timer", async () => {
    const { run, state, before } = await waitingRun();
    const late = { ...desk, deps: { ...desk.deps, clock: { ...desk.deps.clock, now: () => openGateOf(state).gate.expires_at } } };
    await drive(late, run);
    const after = await readRun(desk, run);
    expect(Object.values(after.state.gates).map((gate) => gate.status)).toEqual(["expired"]);
    expect(after.state.status).toBe("completed");
    expect(await customersOf(desk)).toEqual(before);
  });

  it("does not authorise a tool whose definition changed meanwhile", async () => {
    const { run, state, before } = await waitingRun();
    await asAdmin(urls.admin, "update mcp_tool set pinned_digest = repeat('0', 64) where workspace_id = $1 and name = 'update_plan'", [
      desk.workspace,
    ]);
    await ask(desk, run, desk.people.reviewer, decisionFor(desk, state, "approve"));
    const after = await readRun(desk, run);
    expect(after.records.flatMap(({ record }) => record.refusal?.code ?? [])).toContain("tool_drifted");
    expect(await customersOf(desk)).toEqual(before);
  });
});
