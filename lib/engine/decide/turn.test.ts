import { describe, expect, it } from "vitest";
import { MOST_OF_TURN } from "@/lib/engine/decide/turn";
import { plan } from "@/lib/engine/plan";
import { editAs } from "@/lib/engine/testing/gates";
import { engine, getCode, intent, REVIEWER, user, type TestRun } from "@/lib/engine/testing/run";
import { callOf, decideAbout, gates, PLANS, propose, reviewer, sent, settle, speaking, statuses } from "@/lib/engine/testing/turn";

const waiting = (): TestRun => {
  const run = speaking();
  for (const index of PLANS.keys()) expect(getCode(propose(run, index))).toBe("accepted");

  return run;
};

describe("calls of one turn to one tool", () => {
  it("wait side by side, each with its own gate", () => {
    const run = waiting();
    expect(run.state().status).toBe("waiting");
    expect(statuses(run)).toEqual(["open", "open", "open"]);
    expect(new Set(gates(run).flatMap(({ gate }) => [gate.id, gate.nonce, gate.transition_digest])).size).toBe(9);
    expect(sent(run)).toEqual([]);
    expect(plan(run.published, run.state(), run.now(), 1)).toMatchObject({ type: "wait" });
  });

  it("may be decided in any order, each about its own arguments", () => {
    const run = waiting();
    for (const index of [2, 1, 0]) expect(getCode(decideAbout(run, index, index === 1 ? "reject" : "approve"))).toBe("accepted");
    expect(statuses(run)).toEqual(["approved", "rejected", "approved"]);
    expect(getCode(propose(run, 0))).toBe("accepted");
    settle(run);
    expect(getCode(propose(run, 1))).toBe("call_rejected");
    expect(getCode(propose(run, 2))).toBe("accepted");
    expect(sent(run)).toEqual([{ plan: "team" }, { plan: "free" }]);
    expect(gates(run).map(({ usedBy }) => usedBy !== null)).toEqual([true, false, true]);
  });

  it("are made as soon as each is approved, and the run waits for the next", () => {
    const run = waiting();
    decideAbout(run, 0);
    expect(run.state().status).toBe("running");
    expect(plan(run.published, run.state(), run.now(), 1)).toMatchObject({ type: "execute", node: "parse" });
    propose(run, 0);
    settle(run);
    expect(getCode(propose(run, 1))).toBe("accepted");
    expect(run.state().status).toBe("waiting");
    expect(statuses(run)).toEqual(["approved", "open", "open"]);
    expect(sent(run)).toEqual([{ plan: "team" }]);
    decideAbout(run, 1);
    decideAbout(run, 2);
    propose(run, 1);
    settle(run);
    propose(run, 2);
    expect(sent(run)).toEqual(PLANS.map((to) => ({ plan: to })));
  });

  it("approve nothing but themselves", () => {
    const run = waiting();
    decideAbout(run, 1);
    expect(getCode(propose(run, 0))).toBe("accepted");
    expect([run.state().status, sent(run)]).toEqual(["waiting", []]);
    expect(getCode(propose(run, 0))).toBe("node_not_active");
  });

  it("are not made out of turn: an approved one waits while the run does", () => {
    const run = waiting();
    decideAbout(run, 1);
    propose(run, 0);
    expect([getCode(propose(run, 1)), sent(run)]).toEqual(["node_not_active", []]);
  });

  it("may each be edited, and the others stay", () => {
    const run = waiting();
    const [first] = gates(run);
    editAs(run, reviewer, { arguments: { plan: "starter" } });
    expect(statuses(run)).toEqual(["superseded", "open", "open", "open"]);
    expect(run.state().gates[first?.gate.id ?? ""]?.receipt).toBeNull();
    decideAbout(run, 1);
    propose(run, 0);
    expect([run.state().status, sent(run)]).toEqual(["waiting", []]);
  });
});

describe("while a call waits", () => {
  it.each([
    ["another tool", intent("crm", "write", { plan: "business" }, "0//2")],
    ["a call that the turn does not have", intent("crm", "update", { plan: "business" }, "0//9")],
    ["a call of another task", { ...intent("crm", "update", { plan: "business" }, "0//2"), task: "score.0" }],
  ])("%s is refused", (_what, body) => {
    const run = speaking();
    propose(run, 0);
    expect(getCode(run.work(body))).toBe("node_not_active");
    expect(statuses(run)).toEqual(["open"]);
  });

  it("no call is made that needs no approval, and nothing else goes on", () => {
    const run = speaking([callOf("team", 0), { id: "2", name: "crm__read", input: {} }]);
    propose(run, 0);
    expect(getCode(run.work(intent("crm", "read", {}, "0//2")))).toBe("node_not_active");
    expect(getCode(run.work({ kind: "node_result", actions: [] }))).toBe("node_not_active");
    expect(getCode(run.work({ kind: "model_intent", task: "", tokens: 1, cost_micro_usd: 1 }))).toBe("node_not_active");
    expect(sent(run)).toEqual([]);
  });

  it(`at most ${MOST_OF_TURN} wait together`, () => {
    const run = speaking(Array.from({ length: MOST_OF_TURN + 1 }, (_, index) => callOf(`plan ${index}`, index)));
    const codes = Array.from({ length: MOST_OF_TURN + 1 }, (_, index) => getCode(propose(run, index, `plan ${index}`)));
    expect(codes.slice(0, -1).every((code) => code === "accepted")).toBe(true);
    expect(codes.at(-1)).toBe("node_not_active");
  });
});

it("a call whose outcome is unknown holds the run, whatever is decided about the others", () => {
  const run = waiting();
  decideAbout(run, 0);
  propose(run, 0);
  const effect = Object.values(run.state().effects).find(({ outcome }) => outcome === null);
  run.propose({ type: "engine", epoch: 2 }, { kind: "recover", effect_id: effect?.effect_id ?? "" }, { epoch: 2 });
  expect(
    gates(run)
      .map(({ gate, status }) => `${gate.reason} ${status}`)
      .at(-1),
  ).toBe("unclear_effect open");
  decideAbout(run, 1);
  expect(run.state().status).toBe("waiting");
  decideAbout(run, 3);
  expect(run.state().status).toBe("running");
});

describe("the waiting calls of a turn end", () => {
  it("with the attempt that made them: an expired one fails the node, the others are void", () => {
    const run = waiting();
    decideAbout(run, 1);
    propose(run, 0);
    run.pass((gates(run)[0]?.gate.expires_at ?? 0) - run.now());
    const next = plan(run.published, run.state(), run.now(), 1);
    if (next.type !== "propose") throw new Error("nothing expires");
    run.propose(engine, next.body);
    expect(statuses(run)).toEqual(["expired", "approved", "void"]);
    expect(sent(run)).toEqual([]);
  });

  it("with all that the attempt waits for: an unknown outcome too", () => {
    const run = waiting();
    decideAbout(run, 0);
    propose(run, 0);
    const effect = Object.values(run.state().effects).find(({ outcome }) => outcome === null);
    run.propose({ type: "engine", epoch: 2 }, { kind: "recover", effect_id: effect?.effect_id ?? "" }, { epoch: 2 });
    run.pass((gates(run)[1]?.gate.expires_at ?? 0) - run.now());
    run.propose(engine, { kind: "expire", approval_id: gates(run)[1]?.gate.id ?? "" });
    expect(statuses(run)).toEqual(["approved", "expired", "void", "void"]);
    expect(run.state().unwinding).toMatchObject({ to: "failed" });
  });

  it("with a node that ends while they wait", () => {
    const run = waiting();
    decideAbout(run, 0);
    run.work({ kind: "node_failure", code: "broken", retryable: true, detail: "", jitter: 0, retry_after_ms: null });
    expect(statuses(run)).toEqual(["approved", "void", "void"]);
  });

  it("with a cancelled run", () => {
    const run = waiting();
    run.propose(user(REVIEWER, "admin"), { kind: "cancel", reason: "Stop." });
    expect(statuses(run)).toEqual(["void", "void", "void"]);
  });
});
