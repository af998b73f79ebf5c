import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { graphSchema } from "@/lib/graph/document";
import type { RunState } from "@/lib/engine/state";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { command, openDesk, publishAs, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { forkRun } from "@/server/runner/testing/fork";
import { commitAs } from "@/server/runner/testing/moved";
import { ask, customersOf, decisionFor, drive, openGateOf, readRun, refusalCodes } from "@/server/runner/testing/run";
import { SUPPORT_DESK_GRAPH } from "@/server/seed/support-desk/graph";
import { listDueRuns } from "@/server/store/ledger/run-heads";
import { recordRows } from "@/server/testing/authority";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
const MAIL = "02-outage-credit.txt";
const TOOL = "where workspace_id = $1 and name = 'update_plan'";
let desk: Desk;
let ofTwo: Desk;
let applied = 0;

const withQuorum = async (base: Desk, quorum: number): Promise<Desk> => {
  const nodes = SUPPORT_DESK_GRAPH.nodes.map((node) => (node.kind === "approval" ? { ...node, config: { ...node.config, quorum } } : node));
  const published = { ...base.published, graph: graphSchema.parse({ ...SUPPORT_DESK_GRAPH, id: "support_of_two", nodes }) };

  return { ...base, published, graphHash: await publishAs(base, published, base.people.builder) };
};

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  ofTwo = await withQuorum(desk, 2);
}, 120_000);
beforeEach(async () => {
  applied = (await customersOf(desk)).applied;
});
afterAll(() => desk.mcp.close());

const waitingRun = async (on: Desk = desk) => {
  const run = await startRun(on, "honest", MAIL, on.graphHash);
  await drive(on, run);
  const { state } = await readRun(on, run);

  return { run, state, gate: openGateOf(state).gate };
};
const approve = (run: string, state: RunState, by = desk.people.reviewer, on = desk) => ask(on, run, by, decisionFor(on, state, "approve"));
const written = async () => (await customersOf(desk)).applied - applied;
const setRole = async (user: string, role: string) => {
  await asAdmin(urls.admin, "update membership set role = $2 where user_id = $1", [user, role]);
  await recordRows(desk.deps, desk.workspace);
};
const disable = async (user: string, disabled: boolean) => {
  await asAdmin(urls.admin, "update membership set disabled_at = case when $2 then now() end where user_id = $1", [user, disabled]);
  await recordRows(desk.deps, desk.workspace);
};

describe("approving after a change is refused without a write", () => {
  it("of a cell in its basis", async () => {
    const { run, state, gate } = await waitingRun();
    const old = decisionFor(desk, state, "approve");
    const planning = state.cells.find(({ path }) => path === "change")?.seq ?? 0;
    const moved = await commitAs(
      desk,
      run,
      (now) => ({ ...now, gates: {}, status: "running", currentNode: "plan", activation: planning }),
      { type: "executor", node: "plan", agent: "planner", epoch: 1 },
      {
        kind: "action",
        activation: planning,
        action: { type: "update_memory", updates: [{ path: "change.credit_cents", value: 1 }] },
      },
    );
    expect(moved.verdict.ok).toBe(true);
    expect((await ask(desk, run, desk.people.reviewer, old)).refusal?.code).toBe("approval_stale");
    const after = await readRun(desk, run);
    expect(after.state.gates[gate.id]?.status).toBe("void");
    expect(openGateOf(after.state).gate).toMatchObject({ supersedes: gate.id, node: gate.node });
    expect(openGateOf(after.state).gate.transition_digest).not.toBe(gate.transition_digest);
    expect(await written()).toBe(0);
  });

  it("of one byte of the proposal", async () => {
    const { run, state, gate } = await waitingRun();
    const digest = gate.transition_digest.replace(/.$/u, (last) => (last === "0" ? "1" : "0"));
    const outcome = await ask(desk, run, desk.people.reviewer, { ...decisionFor(desk, state, "approve"), transition_digest: digest });
    expect(outcome.refusal?.code).toBe("transition_mismatch");
    await asAdmin(urls.admin, "alter table cell disable trigger insert_only");
    await asAdmin(urls.admin, "update cell set sealed = set_byte(sealed, 20, get_byte(sealed, 20) # 1) where run_id = $1 and path = $2", [
      run,
      `$pending.${gate.id}`,
    ]);
    await asAdmin(urls.admin, "alter table cell enable trigger insert_only");
    expect((await approve(run, state)).refusal?.code).toBe("run_frozen");
    expect(await written()).toBe(0);
  });

  it("of the tool's definition: the approval is void and asked again when the tool is back", async () => {
    const { run, state, gate } = await waitingRun();
    await asAdmin(urls.admin, `update mcp_tool set pinned_digest = repeat('0', 64) ${TOOL}`, [desk.workspace]);
    expect((await approve(run, state)).refusal?.code).toBe("tool_drifted");
    const { state: held } = await readRun(desk, run);
    expect([held.status, Object.values(held.gates).map(({ status }) => status)]).toEqual(["waiting", ["void"]]);
    const pinned = desk.published.tools.find(({ tool }) => tool === "update_plan")?.definition_digest;
    await asAdmin(urls.admin, `update mcp_tool set pinned_digest = $2 ${TOOL}`, [desk.workspace, pinned]);
    expect((await approve(run, state)).refusal?.code).toBe("approval_closed");
    const { state: again } = await readRun(desk, run);
    expect(openGateOf(again).gate).toMatchObject({ supersedes: gate.id, node: gate.node });
    expect((await approve(run, again)).refusal).toBeNull();
    expect(await written()).toBe(1);
  });

  it("of the tool's definition between decision and call", async () => {
    const { run, state } = await waitingRun();
    const pinned = desk.published.tools.find(({ tool }) => tool === "update_plan")?.definition_digest;
    let asked = 0;
    const drifting: Desk["deps"]["mcp"] = {
      ...desk.deps.mcp,
      check: async (target) => {
        asked += 1;
        if (asked === 2) await asAdmin(urls.admin, `update mcp_tool set pinned_digest = repeat('0', 64) ${TOOL}`, [desk.workspace]);

        return desk.deps.mcp.check(target);
      },
    };
    const late = { ...desk, deps: { ...desk.deps, mcp: drifting } };
    expect((await approve(run, state, desk.people.reviewer, late)).refusal).toBeNull();
    await asAdmin(urls.admin, `update mcp_tool set pinned_digest = $2 ${TOOL}`, [desk.workspace, pinned]);
    expect(refusalCodes((await readRun(desk, run)).records)).toContain("tool_drifted");
    expect(await written()).toBe(0);
  });

  it("the policy", async () => {
    const { run, state, gate } = await waitingRun();
    const earlier = (now: RunState): RunState => ({ ...now, policyHash: "0".repeat(64) });
    const engine = { type: "engine", epoch: 1 } as const;
    await commitAs(desk, run, earlier, engine, { kind: "void", approval_id: gate.id });
    await commitAs(
      desk,
      run,
      earlier,
      { type: "executor", node: gate.node, agent: null, epoch: 1 },
      { kind: "node_result", activation: state.activation ?? 0, actions: [{ type: "request_human_input", prompt: "" }] },
    );
    const { state: then } = await readRun(desk, run);
    const old = openGateOf(then).gate;
    expect(old.transition.policy_hash).not.toBe(gate.transition.policy_hash);
    expect((await approve(run, then)).refusal?.code).toBe("approval_stale");
    const after = await readRun(desk, run);
    expect(after.state.gates[old.id]?.status).toBe("void");
    expect(openGateOf(after.state).gate).toMatchObject({ supersedes: old.id, transition: { policy_hash: gate.transition.policy_hash } });
    expect(await written()).toBe(0);
  });

  it("of the reviewer's role", async () => {
    const { run, state } = await waitingRun();
    await setRole(desk.people.reviewer, "builder");
    expect((await approve(run, state)).refusal?.code).toBe("role_missing");
    await setRole(desk.people.reviewer, "reviewer");
    expect((await readRun(desk, run)).state.status).toBe("waiting");
    expect(await written()).toBe(0);
  });

  it("of the reviewer, disabled between page and decision", async () => {
    const { run, state } = await waitingRun();
    await disable(desk.people.reviewer, true);
    expect((await approve(run, state)).refusal?.code).toBe("not_found");
    await disable(desk.people.reviewer, false);
    expect((await readRun(desk, run)).state.status).toBe("waiting");
    expect(await written()).toBe(0);
  });
});

describe("one of two approvals whose author lost the right does not count", () => {
  it.each([
    ["was disabled", (user: string) => disable(user, true), (user: string) => disable(user, false)],
    ["lost the role", (user: string) => setRole(user, "viewer"), (user: string) => setRole(user, "reviewer")],
  ])("because they %s", async (_what, take, give) => {
    const { run, state } = await waitingRun(ofTwo);
    const { reviewer, second, admin } = ofTwo.people;
    expect((await approve(run, state, reviewer, ofTwo)).refusal).toBeNull();
    await take(reviewer);
    const { state: then } = await readRun(ofTwo, run);
    expect((await approve(run, then, second, ofTwo)).refusal).toBeNull();
    const { state: still, records } = await readRun(ofTwo, run);
    expect(still.status).toBe("waiting");
    expect(records.at(-1)?.record.control).toMatchObject([{ type: "decision_made", user: second, lapsed: [reviewer] }]);
    expect(await written()).toBe(0);
    await setRole(admin, "reviewer");
    expect((await approve(run, still, admin, ofTwo)).refusal).toBeNull();
    await setRole(admin, "admin");
    await give(reviewer);
    const { state: done } = await readRun(ofTwo, run);
    const receipt = Object.values(done.gates).find((gate) => gate.receipt)?.receipt;
    expect(receipt?.payload.reviewers.map(({ user }) => user)).toEqual([second, admin]);
    expect(await written()).toBe(1);
  });
});

describe("an approval", () => {
  it("unanswered, is rejected by a later runner by itself", async () => {
    const { run, gate } = await waitingRun();
    expect((await listDueRuns(10_000)).map(({ runId }) => runId)).not.toContain(run);
    await asAdmin(urls.admin, "update run set wake_at = now() - interval '1 second' where id = $1", [run]);
    expect((await listDueRuns(10_000)).map(({ runId }) => runId)).toContain(run);
    const late = { ...desk, deps: { ...desk.deps, clock: { ...desk.deps.clock, now: () => gate.expires_at } } };
    await drive(late, run);
    const { state } = await readRun(desk, run);
    expect(state.gates[gate.id]).toMatchObject({ status: "expired", receipt: null });
    expect(state.status).toBe("completed");
    const [row] = await query<{ wake_at: Date | null }>(urls.admin, "select wake_at from run where id = $1", [run]);
    expect(row?.wake_at).toBeNull();
    expect(await written()).toBe(0);
  });

  it("is not inherited by a fork, which has no effect", async () => {
    const { run, state } = await waitingRun();
    await approve(run, state);
    expect(await written()).toBe(1);
    const { records } = await readRun(desk, run);
    const decided = records.findIndex(({ record }) => record.proposal_kind === "decision") + 1;
    for (const effects of ["simulate", "live"] as const) {
      const fork = await forkRun(desk, run, decided, { type: "none" }, { effects });
      expect(fork.outcome.refusal).toBeNull();
      await drive(desk, fork.run);
      const { state: forked } = await readRun(desk, fork.run);
      expect(Object.values(forked.gates).filter((gate) => gate.receipt)).toEqual([]);
      expect(await written()).toBe(1);
    }
  });

  it("has its effect once under double clicks, redelivery and restarts", async () => {
    const { run, state } = await waitingRun();
    const decision = decisionFor(desk, state, "approve");
    const id = await command(desk, run, desk.people.reviewer, decision);
    await command(desk, run, desk.people.reviewer, decision);
    await command(desk, run, desk.people.second, decision);
    await drive(desk, run);
    await asAdmin(urls.admin, "update command set status = 'pending', outcome = null where id = $1", [id]);
    await drive(desk, run);
    expect((await ask(desk, run, desk.people.reviewer, decision)).refusal?.code).toBe("run_finished");
    expect((await readRun(desk, run)).state.status).toBe("completed");
    expect(await written()).toBe(1);
  });
});
