import { describe, expect, test } from "vitest";
import { joinLabels } from "@/lib/graph/label";
import { buildApprovalView } from "@/lib/engine/approvals/approval-view";
import { toMemory } from "@/lib/engine/state";
import { editAs } from "@/lib/engine/testing/gates";
import { step as node } from "@/lib/engine/testing/kinds";
import { agent, atRest, does, driven, legal, OWNER, passes, request, SOURCE, step } from "@/lib/engine/testing/outside";
import { getCode, decideAs, engine, openGate, REVIEWER, SECOND, user, type TestRun } from "@/lib/engine/testing/run";
import { drive } from "@/lib/engine/testing/work";

const FIRST = node("first", { read_keys: ["topic"], action: { inputs: [{ name: "subject", path: "topic" }] } });
const EDGES = [
  { id: "to_left", source: "first", target: "left" },
  { id: "to_right", source: "first", target: "right" },
  { id: "left_done", source: "left", target: "last" },
  { id: "right_done", source: "right", target: "last" },
];
const FORKING = driven([FIRST, node("left"), node("right"), node("last")], { edges: EDGES });
const STRICT = driven([FIRST, node("left"), node("right"), node("last")], { edges: EDGES, strict_taint: true });
const reviewer = user(REVIEWER);

const memory = (run: TestRun) => toMemory(run.state().cells);
const controls = (run: TestRun) => joinLabels(run.state().controls.map(({ label }) => label));

const atChoice = (published = FORKING) => {
  const run = atRest(published);
  step(run, "first", { subject: "x" });
  passes(run);

  return run;
};

describe("a choice of an external agent", () => {
  test("influences its action's writes until the branches merge", () => {
    const run = atChoice();
    step(run, "left");
    expect(controls(run)).toEqual({ integrity: "untrusted", confidentiality: "internal", provenance: [SOURCE] });
    does(run);
    expect(run.state().cells.find(({ path }) => path === "out")?.label.provenance).toContain(SOURCE);
    step(run, "last");

    expect(run.state().controls).toEqual([]);
  });

  test("does not exist with a single action", () => {
    const run = atRest(FORKING);
    step(run, "first", { subject: "x" });

    expect(run.state().controls).toEqual([]);
  });

  test("by a trusted token taints nothing", () => {
    const run = atChoice();
    step(run, "left", null, agent({ integrity: "trusted" }));

    expect(controls(run)).toMatchObject({ integrity: "trusted", provenance: [SOURCE] });
  });

  test("under strict taint waits for approval", () => {
    const run = atChoice(STRICT);
    step(run, "left");

    expect([openGate(run).gate.reason, run.state().currentNode, getCode(step(run, "right"))]).toEqual([
      "tainted_route",
      null,
      "approval_pending",
    ]);
    decideAs(run, reviewer);
    expect([run.state().currentNode, controls(run).integrity]).toEqual(["left", "untrusted"]);
  });

  test("under strict taint leaves the run at its place when rejected", () => {
    const run = atChoice(STRICT);
    const before = run.state().position?.actions;
    step(run, "left");
    decideAs(run, reviewer, "reject");

    expect([run.state().position?.actions, legal(run), run.records().at(-1)?.record.control.at(-2)]).toMatchObject([
      before ?? [],
      ["left", "right"],
      { type: "action_awaited", cause: "declined" },
    ]);
  });

  test("under strict taint needs no approval for a trusted token", () => {
    const run = atChoice(STRICT);
    step(run, "left", null, agent({ integrity: "trusted" }));

    expect(run.state().currentNode).toBe("left");
  });

  test("among edges opened by untrusted data needs approval before the choice", () => {
    const open = driven(
      [node("first", { read_keys: ["topic"] }), FIRST, node("right"), node("last")].map((one, index) =>
        index === 1 ? { ...one, id: "left" } : one,
      ),
      {
        strict_taint: true,
        edges: [
          { id: "to_left", source: "first", target: "left", condition: 'memory.topic == "x"' },
          { id: "to_right", source: "first", target: "right", condition: 'memory.topic != "y"' },
          ...EDGES.slice(2),
        ],
      },
    );
    const run = atRest(open, { topic: "x" });
    step(run, "first");
    passes(run);

    expect([openGate(run).gate.reason, openGate(run).gate.review_keys]).toEqual(["tainted_route", ["topic"]]);
    decideAs(run, reviewer);
    expect([legal(run), run.state().position?.label.integrity]).toEqual([["left", "right"], "untrusted"]);
  });
});

describe("an external agent's approval request", () => {
  const asked = () => {
    const run = atRest(FORKING);
    request(run, "first", { subject: "plans" });

    return run;
  };

  test("waits and shows the writes", () => {
    const run = asked();
    const view = buildApprovalView(FORKING, run.state(), openGate(run), "internal");

    expect([openGate(run).gate.reason, legal(run).length, memory(run)]).toEqual(["requested", 1, {}]);
    expect(view.lines).toMatchObject([{ path: "topic", op: "set", after: { hidden: false, value: "plans" }, integrity: "untrusted" }]);
    expect(step(run, "first", { subject: "x" })).toMatchObject({ refusal: { code: "approval_pending", legal: ["step:first"] } });
  });

  test("does not reveal whether a guess equals a hidden value", () => {
    const seen = (guess: string) => {
      const published = driven([node("first", { action: { inputs: [{ name: "who", path: "person" }] } }), node("last")]);
      const run = atRest(published, { person: "Ada" });
      request(run, "first", { who: guess });

      return buildApprovalView(published, run.state(), openGate(run), "internal").lines.map(({ path, after, changed }) => [
        path,
        after,
        changed,
      ]);
    };

    expect(seen("Ada")).toEqual([["person", { hidden: true }, true]]);
    expect(seen("Eve")).toEqual(seen("Ada"));
  });

  test("stays as confidential as what its editor saw", () => {
    const published = driven([
      node("first", { read_keys: ["person"], write_keys: ["topic"] }),
      node("second", { action: { inputs: [{ name: "subject", path: "topic" }] } }),
      node("last"),
    ]);
    const run = atRest(published, { person: "Ada" });
    step(run, "first");
    does(run, "topic", "Ada's");
    request(run, "second", { subject: "hers" });
    expect(getCode(editAs(run, reviewer, { updates: [{ path: "topic", value: "Ada Lovelace's" }] }))).toBe("accepted");
    expect(getCode(decideAs(run, user(SECOND)))).toBe("accepted");

    expect(memory(run)).toMatchObject({ topic: "Ada Lovelace's" });
    expect(run.state().cells.find(({ path }) => path === "topic")?.label).toMatchObject({ integrity: "reviewed", confidentiality: "pii" });
  });

  test("takes the step after approval, with reviewed inputs, approver and origin", () => {
    const run = asked();
    expect(getCode(decideAs(run, reviewer))).toBe("accepted");

    expect([run.state().currentNode, memory(run)]).toEqual(["first", { topic: "plans" }]);
    expect(run.state().cells[0]?.label).toEqual({
      integrity: "reviewed",
      confidentiality: "internal",
      provenance: [`approver:${REVIEWER}`, SOURCE].toSorted(),
    });
  });

  test.each(["reject", "expire"] as const)("fails without effect: %s", (how) => {
    const run = asked();
    if (how === "reject") decideAs(run, reviewer, "reject");
    else {
      run.pass(24 * 3_600_000);
      run.propose(engine, { kind: "expire", approval_id: openGate(run).gate.id });
    }

    expect([legal(run), memory(run), run.state().status]).toEqual([["first"], {}, "waiting"]);
    expect(getCode(step(run, "first", { subject: "x" }))).toBe("accepted");
  });

  test("is void when the policy changes, and the run rests", () => {
    const run = asked();
    run.underPolicy("0".repeat(64));
    drive(run);

    expect([legal(run), Object.values(run.state().gates).map(({ status }) => status)]).toEqual([["first"], ["void"]]);
  });

  test("cannot be approved by the token's owner", () => {
    expect(getCode(decideAs(asked(), user(OWNER)))).toBe("own_run");
  });

  test("may write a protected key", () => {
    const guarded = driven([node("first", { action: { inputs: [{ name: "admin", path: "is_admin" }] } }), node("last")]);
    const run = atRest(guarded);
    request(run, "first", { admin: true });
    decideAs(run, reviewer);

    expect(memory(run)).toEqual({ is_admin: true });
  });

  test("cannot be approved by people who may not see its writes", () => {
    const run = atRest(driven([node("first", { action: { inputs: [{ name: "pay", path: "salary" }] } }), node("last")]));
    request(run, "first", { pay: 4_000 });
    const view = buildApprovalView(run.published, run.state(), openGate(run), "internal");

    expect(view.lines).toMatchObject([{ path: "salary", after: { hidden: true }, confidentiality: "secret" }]);
    expect(getCode(decideAs(run, reviewer))).toBe("role_missing");
    expect(getCode(decideAs(run, reviewer, "reject"))).toBe("accepted");
  });

  test("is refused like a step: without scope, illegal, or with invalid inputs", () => {
    const run = atRest(FORKING);

    expect(getCode(request(run, "first", { subject: "x" }, agent({ scopes: ["run.drive"] })))).toBe("scope_missing");
    expect(getCode(request(run, "last"))).toBe("invalid_transition");
    expect(getCode(request(run, "nowhere"))).toBe("unknown_action");
    expect(getCode(request(run, "first", {}))).toBe("validation_failed");
  });

  test("contains no text of the agent that could pass for ours", () => {
    const run = atRest(FORKING);
    run.propose(agent(), { kind: "request_approval", action: "first", inputs: { subject: "x" }, reason: "CANARY" });

    expect(JSON.stringify(run.records().at(-1)?.record)).not.toContain("CANARY");
    expect(run.state().aside.find(({ path }) => path === "$reason")?.label.integrity).toBe("untrusted");
  });
});

describe("routing by nodes", () => {
  test("leads from a rejected approval to its rejection node only", () => {
    const ask = { id: "ask", kind: "approval" as const, config: { prompt: "?", rejection_node: "no" } };
    const run = atRest(
      driven([ask, node("yes"), node("no")], { edges: [{ id: "asked", source: "ask", target: "yes" }], end_nodes: ["yes", "no"] }),
    );
    step(run, "ask");
    run.work({ kind: "node_result", actions: [{ type: "request_human_input", prompt: "" }] });
    decideAs(run, reviewer, "reject");

    expect(legal(run)).toEqual(["no"]);
  });

  test("makes a supervisor's choice the only action", () => {
    const lead = { id: "lead", kind: "supervisor" as const, config: { agent_id: "plain", managed_nodes: ["a", "b"] } };
    const run = atRest(
      driven([lead, node("a"), node("b"), node("last")], {
        edges: [
          { id: "done", source: "lead", target: "last" },
          { id: "a_back", source: "a", target: "lead" },
          { id: "b_back", source: "b", target: "lead" },
        ],
      }),
    );
    step(run, "lead");
    run.work({ kind: "node_result", actions: [{ type: "goto_node", node: "b" }] });

    expect([legal(run), getCode(step(run, "a")), getCode(step(run, "last"))]).toEqual([["b"], "invalid_transition", "invalid_transition"]);
  });

  test("leads from a hand-off to the peer only", () => {
    const peer = { id: "a", kind: "agent" as const, config: { agent_id: "plain", swarm: { peers: ["b"], max_handoffs: 1 } } };
    const run = atRest(
      driven([peer, node("b"), node("last")], {
        edges: [
          { id: "on", source: "a", target: "last" },
          { id: "off", source: "b", target: "last" },
        ],
      }),
    );
    step(run, "a");
    run.work({ kind: "action", action: { type: "handoff", node: "b" } });
    passes(run);

    expect(legal(run)).toEqual(["b"]);
  });
});
