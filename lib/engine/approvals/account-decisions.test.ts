import { describe, expect, it } from "vitest";
import { agentSchema } from "@/lib/graph/document";
import { serviceScopeSchema, NO_SESSION, type Principal } from "@/lib/engine/principal";
import { commentAs, editAs, sendBackAs } from "@/lib/engine/testing/gates";
import { newKey } from "@/lib/engine/testing/ledger";
import { agent, driven, OWNER, SOURCE, TOKEN } from "@/lib/engine/testing/outside";
import {
  atGate,
  decideAs,
  decision,
  getCode,
  intent,
  newRun,
  openGate,
  REVIEWER,
  startBody,
  started,
  user,
} from "@/lib/engine/testing/run";
import { nodesWith, publishWith } from "@/lib/engine/testing/graph";
import { ANSWER } from "@/lib/engine/testing/tool-input";
import { verifyRecords } from "@/lib/engine/testing/rules";
import { AGENTS, END, step, version } from "@/lib/engine/testing/kinds";
import { atReview, review, zone } from "@/lib/engine/testing/zones";

type Account = Extract<Principal, { type: "agent" }>;

const account = (change: Partial<Account> = {}): Account =>
  agent({ session: NO_SESSION, scopes: [...serviceScopeSchema.options], ...change });
const without = (scope: string): Account => account({ scopes: serviceScopeSchema.options.filter((one) => one !== scope) });

describe("a decision of a service account", () => {
  it("rejects, under its own id, and taints the branch that follows", async () => {
    const run = atGate();
    const { gate } = openGate(run);
    expect(getCode(decideAs(run, account(), "reject"))).toBe("accepted");
    expect(await verifyRecords(run, await newKey("test"))).toBe("valid");
    const state = run.state();
    expect([state.status, state.currentNode]).toEqual(["running", "decline"]);
    expect(state.gates[gate.id]).toMatchObject({ status: "rejected", decisions: [{ user: TOKEN, decision: "reject" }] });
    expect(state.controls.at(-1)?.label.provenance).toContain(SOURCE);
    expect(state.aside.find(({ path }) => path === "$reason")?.label).toMatchObject({ integrity: "untrusted", provenance: [SOURCE] });
  });

  it("is what taints: a person who rejects leaves no such source", () => {
    const run = atGate();
    decideAs(run, user(REVIEWER), "reject");
    expect(run.state().controls.flatMap(({ label }) => label.provenance)).not.toContain(SOURCE);
  });

  it("never approves, not even with trusted integrity", () => {
    const run = atGate();
    for (const by of [account(), account({ integrity: "trusted" })]) expect(getCode(decideAs(run, by))).toBe("principal_not_allowed");
    expect(openGate(run).decisions).toEqual([]);
  });

  it("neither abstains, requests changes, nor edits", () => {
    const run = atGate();
    expect(getCode(run.propose(account(), { ...decision(run, account()), decision: "abstain" }))).not.toBe("accepted");
    expect(getCode(sendBackAs(run, account()))).toBe("principal_not_allowed");
    expect(getCode(editAs(run, account(), { updates: [] }))).not.toBe("accepted");
    expect(openGate(run).decisions).toEqual([]);
  });

  it("needs its scope, a reason, and its own view", () => {
    const run = atGate();
    const made = decision(run, account(), "reject");
    expect(getCode(run.propose(without("approvals:reject"), made))).toBe("scope_missing");
    expect(getCode(run.propose(account(), { ...made, reason: " " }))).toBe("reason_missing");
    expect(getCode(run.propose(account(), { ...made, view_digest: decision(run, user(REVIEWER)).transition_digest }))).toBe(
      "view_mismatch",
    );
  });

  it("changes no view when it is refused", () => {
    const run = atGate();
    const made = decision(run, user(REVIEWER));
    for (let times = 0; times < 4; times += 1) expect(getCode(decideAs(run, account()))).toBe("principal_not_allowed");
    expect(run.state().attempts).toBe(0);
    expect(getCode(run.propose(user(REVIEWER), made))).toBe("accepted");
  });

  it("carries no passkey, no answers, and no viewing", () => {
    const run = atGate();
    expect(
      getCode(run.propose(account(), { ...decision(run, account(), "reject"), viewing: { open_ms: 1, opened: 0, unopened: 0 } })),
    ).toBe("malformed");
    const assertion = { credential_id: "AA", authenticator_data: "AA", client_data_json: "AA", signature: "AA" };
    for (const more of [{ assertion }, { answers: ANSWER }])
      expect(getCode(run.propose(account(), { ...decision(run, account(), "reject"), ...more }))).toBe("malformed");
    expect(getCode(run.propose(account(), decision(run, account(), "reject")))).toBe("accepted");
  });

  it("does not reach the model whose call it rejects", () => {
    const hears = (by: Principal) => {
      const agents = [...AGENTS, agentSchema.parse({ id: "worker", name: "worker", tools: [{ server: "crm", tool: "write" }] })];
      const node = { id: "work", kind: "agent" as const, read_keys: ["clean"], write_keys: ["out"], config: { agent_id: "worker" } };
      const run = started(version([node, END], {}, { agents }), { clean: "c" });
      run.work(intent("crm", "write", { to: "eve@example.com", amount: 100 }, "w"));
      expect(getCode(decideAs(run, by, "reject"))).toBe("accepted");
      expect(run.state().status).toBe("running");

      return run.state().aside.some(({ path }) => path.startsWith("$changes."));
    };
    expect([hears(user(REVIEWER)), hears(account())]).toEqual([true, false]);
  });

  it("comes too late for a closed or expired request", () => {
    const run = atGate();
    const made = decision(run, account(), "reject");
    expect(getCode(run.propose(account(), made))).toBe("accepted");
    const other = atGate();
    const again = decision(other, account(), "reject");
    decideAs(other, user(REVIEWER), "reject");
    expect(getCode(other.propose(account(), again))).toBe("approval_closed");
    const late = atGate();
    const afterwards = decision(late, account(), "reject");
    late.pass(openGate(late).gate.expires_at - late.now());
    expect(getCode(late.propose(account(), afterwards))).toBe("approval_expired");
  });

  it("is refused where approvers are named", () => {
    const config = { prompt: "Write it?", review_keys: ["request"], for_node: "write", quorum: 1 };
    const run = atGate(publishWith({ nodes: nodesWith("ask", { config, approvers: { groups: [], people: [REVIEWER] } }) }));
    expect(getCode(decideAs(run, account(), "reject"))).toBe("not_named");
    expect(openGate(run)).toMatchObject({ status: "open", decisions: [] });
  });

  it("is refused in a case", () => {
    const run = atReview(zone({ review: review({ reviewers: [{ type: "person", role: "reviewer", count: 1 }], quorum: 1 }) }));
    const { gate } = openGate(run);
    expect(gate.reason).toBe("review");
    for (const choice of ["reject", "approve"] as const) expect(getCode(decideAs(run, account(), choice))).toBe("principal_not_allowed");
    expect(openGate(run).decisions).toEqual([]);
  });
});

describe("a comment of a service account", () => {
  it("is untrusted and needs its scope", () => {
    const run = atGate();
    expect(getCode(commentAs(run, without("approvals:comment")))).toBe("scope_missing");
    expect(getCode(commentAs(run, account()))).toBe("accepted");
    expect(run.state().aside.at(-1)).toMatchObject({ label: { integrity: "untrusted", provenance: [SOURCE] } });
  });
});

describe("a service account", () => {
  it("starts graphs that no outside agent drives, as its owner", () => {
    const published = publishWith();
    const startAs = (by: Account) => getCode(newRun(published).propose(by, startBody(published)));
    expect(startAs(agent())).toBe("principal_not_allowed");
    expect(startAs(without("runs:start"))).toBe("scope_missing");
    const run = newRun(published);
    expect(getCode(run.propose(account(), startBody(published)))).toBe("accepted");
    expect(run.state().start?.initiator).toBe(OWNER);
    const external = driven([step("first"), step("last")]);
    expect(getCode(newRun(external).propose(account(), startBody(external)))).toBe("principal_not_allowed");
  });

  it("cancels with its scope only", () => {
    const run = started(publishWith());
    expect(getCode(run.propose(without("runs:control"), { kind: "cancel" }))).toBe("scope_missing");
    expect(getCode(run.propose(account(), { kind: "cancel" }))).toBe("accepted");
    expect(run.state().status).toBe("cancelled");
  });
});
