import { describe, expect, it, test } from "vitest";
import { buildApprovalView, computeViewDigest } from "@/lib/engine/approvals/approval-view";
import { getClearance } from "@/lib/engine/approvals/policy";
import { isStale } from "@/lib/engine/ledger/transition";
import { nodesWith, publishWith } from "@/lib/engine/testing/graph";
import {
  atGate,
  atParse,
  atTriage,
  AUTHOR,
  getCode,
  decideAs,
  decision,
  engine,
  executor,
  intent,
  openGate,
  result,
  REVIEWER,
  SECOND,
  settle,
  started,
  STARTER,
  update,
  user,
  type TestRun,
} from "@/lib/engine/testing/run";

const reviewer = user(REVIEWER);
const second = user(SECOND);
const asking = (change: Record<string, unknown>) =>
  publishWith({
    nodes: nodesWith("ask", {
      config: { prompt: "Write it?", review_keys: ["request"], for_node: "write", rejection_node: "decline", ...change },
    }),
  });
const effects = (run: TestRun) => Object.values(run.state().effects).filter((effect) => effect.effect.tool === "update");
const write = (run: TestRun, plan = "team") => run.work(intent("crm", "update", { plan }));

describe("an approval", () => {
  it("by two needs two distinct people, and one alone releases nothing", () => {
    const run = atGate(asking({ quorum: 2 }));
    expect(getCode(decideAs(run, reviewer))).toBe("accepted");
    expect(run.state()).toMatchObject({ status: "waiting", currentNode: "ask" });
    const before = run.state().gates;
    expect(getCode(decideAs(run, reviewer))).toBe("duplicate_decision");
    expect(run.state().gates).toEqual(before);
    expect(getCode(decideAs(run, second))).toBe("accepted");
    expect(run.state().currentNode).toBe("write");
  });

  it("by two may include the version's author, but never the initiator", () => {
    const run = atGate(asking({ quorum: 2 }));
    expect(getCode(decideAs(run, user(STARTER)))).toBe("own_run");
    expect(getCode(decideAs(run, user(AUTHOR)))).toBe("accepted");
    expect(getCode(decideAs(run, reviewer))).toBe("accepted");
  });

  it("is refused while its tool can't be called, but a rejection counts", () => {
    const cases = [
      ["unavailable", "tool_unavailable"],
      ["not_allowed", "tool_not_granted"],
      ["drifted", "tool_drifted"],
    ] as const;
    const run = atGate();
    for (const [availability, code] of cases)
      expect(getCode(run.propose(reviewer, { ...decision(run, reviewer), availability }))).toBe(code);
    expect(getCode(run.propose(reviewer, { ...decision(run, reviewer, "reject"), availability: "drifted" }))).toBe("accepted");
    const able = atGate();
    expect(getCode(able.propose(reviewer, { ...decision(able, reviewer), availability: "ok" }))).toBe("accepted");
  });

  it("is neither an abstention nor a list of findings, which only reviews take", () => {
    const run = atGate();
    const made = decision(run, reviewer);
    expect(getCode(run.propose(reviewer, { ...made, decision: "abstain" }))).toBe("malformed");
    expect(getCode(run.propose(reviewer, { ...made, findings: [] }))).toBe("malformed");
    expect(getCode(run.propose(reviewer, made))).toBe("accepted");
  });

  it("ends with the first rejection, along the rejection node", () => {
    const run = atGate(asking({ quorum: 2 }));
    decideAs(run, reviewer);
    decideAs(run, second, "reject");
    expect(run.state().currentNode).toBe("decline");
    expect(Object.values(run.state().gates)[0]).toMatchObject({ status: "rejected", receipt: null });
  });

  it("expires once into a rejection without a decision", () => {
    const run = atGate();
    const { id } = openGate(run).gate;
    run.pass(24 * 3_600_000);
    expect(getCode(decideAs(run, reviewer))).toBe("approval_expired");
    expect(getCode(run.propose(engine, { kind: "expire", approval_id: id }))).toBe("accepted");
    expect(run.state().currentNode).toBe("decline");
    expect(getCode(run.propose(engine, { kind: "expire", approval_id: id }))).toBe("approval_closed");
  });

  it("holds everything the node could do", () => {
    const run = atGate();
    expect(getCode(run.work(result()))).toBe("node_not_active");
    expect(getCode(run.propose(executor("write"), { kind: "node_result", activation: run.state().activation ?? 0, actions: [] }))).toBe(
      "node_not_active",
    );
  });

  it("ends with its run", () => {
    const run = atGate();
    const made = decision(run, reviewer);
    run.propose(user(STARTER, "builder"), { kind: "cancel" });
    expect(getCode(run.propose(reviewer, made))).toBe("run_finished");
  });
});

describe("a receipt", () => {
  it("authorizes the arguments shown, once", () => {
    const run = atGate();
    decideAs(run, reviewer);
    expect(getCode(write(run))).toBe("accepted");
    expect(effects(run)).toHaveLength(1);
    expect(run.state().status).toBe("running");
    settle(run, { error: "again" }, "tool_error");
    run.work(intent("crm", "update", { plan: "team" }, "another call"));
    expect(effects(run)).toHaveLength(1);
    expect(run.state().status).toBe("waiting");
  });

  it("does not authorize other arguments", () => {
    const run = atParse(publishWith({ nodes: nodesWith("parse", { write_keys: ["request"] }) }));
    run.work(intent("crm", "update", { plan: "team" }, "c1"));
    decideAs(run, reviewer);
    run.work(intent("crm", "update", { plan: "enterprise" }, "c1"));
    expect(effects(run)).toHaveLength(0);
    expect(openGate(run).gate.transition.effect?.arguments_digest).not.toBe(
      Object.values(run.state().gates)[0]?.gate.transition.effect?.arguments_digest,
    );
  });

  it("does not authorize another call, nor the same one after it expired", () => {
    const run = atParse();
    run.work(intent("crm", "update", { plan: "team" }, "c1"));
    decideAs(run, reviewer);
    run.work(intent("crm", "update", { plan: "team" }, "c2"));
    expect(effects(run)).toHaveLength(0);
    const late = atGate(publishWith({ max_execution_time_ms: 10 * 86_400_000 }));
    decideAs(late, reviewer);
    late.pass(86_400_000);
    write(late);
    expect(effects(late)).toHaveLength(0);
    expect(late.state().status).toBe("waiting");
  });

  it("lapses when its basis changes", () => {
    const run = atParse();
    run.work(intent("crm", "update", { plan: "team" }, "c1"));
    const { transition } = openGate(run).gate;
    decideAs(run, reviewer);
    expect(isStale(run.state(), transition)).toBe(false);
    run.work({ kind: "action", action: update("note", "beside") });
    expect(isStale(run.state(), transition)).toBe(false);
    const changed = { ...run.state(), cells: run.state().cells.map((cell) => (cell.path === "mail" ? { ...cell, seq: 99 } : cell)) };
    expect(isStale(changed, transition)).toBe(true);
  });

  it("is needed for irreversible effects, however trusted their data", () => {
    const fetchOnly = nodesWith("fetch", { effect: "irreversible", approval: "by_rule" });
    const run = started(publishWith({ nodes: fetchOnly }));
    run.work(intent("docs", "read", { topic: "plans" }));
    expect(Object.keys(run.state().effects)).toHaveLength(0);
    expect(openGate(run).gate.reason).toBe("tainted_effect");
  });
});

describe("an effect with unknown outcome", () => {
  const cut = () => {
    const run = atGate();
    decideAs(run, reviewer);
    write(run);

    return run;
  };
  const epoch = 2;
  const recover = (run: TestRun) =>
    run.propose({ type: "engine", epoch }, { kind: "recover", effect_id: effects(run)[0]?.effect_id ?? "" }, { epoch });

  it("is not repeated without a person, and asked about once", () => {
    const run = cut();
    expect(getCode(recover(run))).toBe("accepted");
    expect(openGate(run).gate.reason).toBe("unclear_effect");
    expect(getCode(recover(run))).toBe("version_conflict");
    run.propose(reviewer, decision(run, reviewer), { epoch });
    expect(effects(run)[0]).toMatchObject({ epoch, outcome: null });
  });

  it("is abandoned when a person says so", () => {
    const run = cut();
    recover(run);
    run.propose(reviewer, decision(run, reviewer, "reject"), { epoch });
    expect(effects(run)[0]?.outcome).toBe("abandoned");
    expect(run.state().status).toBe("failed");
  });

  it("of an ended visit is abandoned without moving the run", () => {
    const run = cut();
    const edges = [...publishWith().graph.edges, { id: "late", source: "write", target: "rescue", kind: "timeout" as const }];
    const again = atGate(publishWith({ edges }));
    decideAs(again, reviewer);
    write(again);
    again.work({ kind: "node_failure", code: "node_timeout", retryable: false, detail: "", jitter: 0, retry_after_ms: null });
    expect(again.state().currentNode).toBe("rescue");
    expect(getCode(recover(again))).toBe("accepted");
    expect(effects(again)[0]?.outcome).toBe("abandoned");
    expect(again.state()).toMatchObject({ status: "running", currentNode: "rescue" });
    expect(effects(run)[0]?.outcome).toBeNull();
  });
});

describe("the approval view", () => {
  const CANARY = 4_815_162_342;
  const text = (run: TestRun, by: ReturnType<typeof user>) => {
    const open = openGate(run);

    return JSON.stringify(buildApprovalView(run.published, run.state(), open, by.type === "user" ? getClearance(by) : "public"));
  };

  it.each(["viewer", "builder", "admin", "reviewer"] as const)("hides values above the clearance of a %s", (role) => {
    const run = atGate(asking({ review_keys: ["request", "salary"] }), "team", { topic: "plans", salary: CANARY });
    expect(text(run, user(REVIEWER, role))).not.toContain(String(CANARY));
    expect(text(run, user(REVIEWER, role))).toContain('"hidden":true');
    expect(text(run, user(REVIEWER, role, true))).toContain(String(CANARY));
  });

  it("hides names that a model made up from hidden values", () => {
    const published = publishWith({ nodes: nodesWith("parse", { read_keys: ["mail", "salary"] }) });
    const cleared = { ...published, tools: published.tools.map((pin) => ({ ...pin, clearance: "secret" as const })) };
    const run = atParse(cleared, { topic: "plans", salary: CANARY });
    run.work(intent("crm", "update", { plan: "team", [`salary_${CANARY}`]: "x" }, "c1"));
    expect(text(run, reviewer)).not.toContain(String(CANARY));
    expect(text(run, reviewer)).toContain("crm.update.plan");
    expect(text(run, user(REVIEWER, "reviewer", true))).toContain(String(CANARY));
  });

  it("has the same digest wherever and whenever computed", () => {
    const run = atGate();
    const digest = () => computeViewDigest(buildApprovalView(run.published, run.state(), openGate(run), "pii"));
    expect(digest()).toBe(digest());
    expect(digest()).toBe(computeViewDigest(JSON.parse(text(run, reviewer))));
  });

  test("shows what would change, and from what", () => {
    const run = atParse();
    run.work(result(update("is_admin", true)));
    const view = buildApprovalView(run.published, run.state(), openGate(run), "secret");
    expect(view.lines).toMatchObject([
      { path: "is_admin", op: "set", before: null, after: { hidden: false, value: true }, integrity: "untrusted" },
    ]);
    expect(view.authority).toContain("protected");
  });

  test("shows the exact arguments of the gate's effect", () => {
    const run = atGate(undefined, "enterprise");
    expect(text(run, reviewer)).toContain(
      '"path":"crm.update.plan","op":"call","before":null,"after":{"hidden":false,"value":"enterprise"}',
    );
    expect(atTriage().state().currentNode).toBe("triage");
  });
});
