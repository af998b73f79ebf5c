import { describe, expect, it } from "vitest";
import type { GraphInput } from "@/lib/graph/document";
import { child, END, step, using, version } from "@/lib/engine/testing/kinds";
import { getCode, decideAs, openGate, result, REVIEWER, started, update, user, type TestRun } from "@/lib/engine/testing/run";
import { drive, createFailure } from "@/lib/engine/testing/work";

type NodeInput = GraphInput["nodes"][number];

const reviewer = user(REVIEWER);
const goTo = (node: string) => ({ type: "goto_node", node });
const lead = (change: object = {}, rest: object = {}): NodeInput => ({
  id: "lead",
  kind: "supervisor",
  write_keys: ["is_admin", "note"],
  config: { agent_id: "plain", managed_nodes: ["a", "b"], max_iterations: 3, ...change },
  ...rest,
});
const EDGES = [
  { id: "to_a", source: "lead", target: "a" },
  { id: "a", source: "a", target: "lead" },
  { id: "b", source: "b", target: "lead" },
  { id: "done", source: "lead", target: "end" },
  { id: "over", source: "lead", target: "over", kind: "error" as const },
];
const supervised = (node = lead()): TestRun =>
  started(version([node, step("a"), step("b"), step("over"), END, step("out")], { edges: EDGES, end_nodes: ["end", "over", "out"] }));

const peer = (id: string, peers: readonly string[], max = 2, write_keys: readonly string[] = ["note"]): NodeInput => ({
  id,
  kind: "agent",
  write_keys: [...write_keys],
  config: { agent_id: "plain", swarm: { peers: [...peers], max_handoffs: max } },
});
const handOff = (run: TestRun, node: string): string => getCode(run.work({ kind: "action", action: { type: "handoff", node } }));
const swarm = (max = 2, keys: readonly string[] = ["note"]): TestRun =>
  started(
    version([peer("p", ["q"], max, keys), peer("q", ["p"], max), END, step("z")], {
      edges: [
        { id: "x", source: "p", target: "end" },
        { id: "y", source: "q", target: "end" },
      ],
      end_nodes: ["end", "z"],
    }),
  );

describe("a supervisor [12]", () => {
  it("chooses a managed node or completion, after which the edges decide", () => {
    const run = supervised();
    run.work(result(goTo("b")));
    expect(run.state().currentNode).toBe("b");
    run.work(result());
    run.work(result());
    expect(run.state().currentNode).toBe("end");
  });

  it.each(["end", "over", "lead", "out", "nowhere", "constructor"])("cannot send the run to %s", (node) => {
    const run = supervised();
    expect(getCode(run.work(result(goTo(node))))).toBe("supervisor_routing");
    expect(run.state()).toMatchObject({ currentNode: "lead", choices: {} });
  });

  it.each([
    ["two choices", [goTo("a"), goTo("b")]],
    ["a hand-off", [{ type: "handoff", node: "a" }]],
    ["a status", [{ type: "set_status", status: "completed" }]],
    ["another person's approval", [{ type: "resume_from_human", approval_id: "x", transition_digest: "y" }]],
  ])("may not use %s", (_what, actions) => {
    const run = supervised();
    expect(getCode(run.work(result(...actions)))).toBe("action_not_granted");
    expect(run.state().currentNode).toBe("lead");
  });

  it("makes exactly N choices, `done` included, and then fails with its limit", () => {
    const run = supervised();
    for (let count = 0; count < 3; count += 1) {
      expect(getCode(run.work(result(goTo("a"))))).toBe("accepted");
      run.work(result());
    }
    expect(run.state().choices).toEqual({ lead: 3 });
    expect(getCode(run.work(result(goTo("a"))))).toBe("supervisor_limit");
    expect(getCode(run.work(result()))).toBe("supervisor_limit");
    expect(getCode(run.work({ kind: "model_intent", tokens: 1, cost_micro_usd: 0 }))).toBe("supervisor_limit");
    run.work(createFailure("supervisor_limit"));
    expect(run.state()).toMatchObject({ currentNode: "over", lastError: { node: "lead", code: "supervisor_limit" } });
  });

  it("counts with a prototype member's name too", () => {
    const node = lead({ max_iterations: 1, managed_nodes: ["a"] }, { id: "constructor" });
    const run = started(version([node, step("a")], { edges: [{ id: "x", source: "a", target: "constructor" }] }));
    expect(getCode(run.work(result(goTo("a"))))).toBe("accepted");
    run.work(result());
    expect(run.state().choices).toEqual({ constructor: 1 });
    expect(getCode(run.work(result(goTo("a"))))).toBe("supervisor_limit");
  });

  it("counts its choices over the whole run, per place in a graph", () => {
    const inner = version([lead({ max_iterations: 1 }), step("a"), step("b")], { edges: [], end_nodes: ["a", "b"] });
    const run = started(version([using("s", "c"), using("t", "c"), END], {}, { subgraphs: [child("c", inner)] }));
    for (const _place of ["s", "t"]) {
      run.work(result());
      run.work(result(goTo("a")));
      run.work(result());
      drive(run);
    }
    expect(run.state()).toMatchObject({ choices: { "s/lead": 1, "t/lead": 1 }, currentNode: "end" });
  });

  it.each(["b", null])("keeps its choice while its writes wait (%s)", (to) => {
    const run = supervised();
    run.work(result(update("is_admin", true), ...(to === null ? [] : [goTo(to)])));
    expect(openGate(run).gate.reason).toBe("protected_key");
    expect(getCode(decideAs(run, reviewer))).toBe("accepted");
    expect(run.state().currentNode).toBe(to ?? "end");
  });

  it("has its choice approved together with its writes, not a later one", () => {
    const digests = ["a", "b"].map((to) => {
      const run = supervised();
      run.work(result(update("is_admin", true), goTo(to)));

      return openGate(run).gate.transition_digest;
    });
    expect(digests[0]).not.toBe(digests[1]);
  });
});

describe("a swarm [12]", () => {
  it("hands the run to a declared peer when the node is done", () => {
    const run = swarm();
    expect(handOff(run, "q")).toBe("accepted");
    expect(run.state()).toMatchObject({ currentNode: "p", handoff: "q", handoffs: 1 });
    run.work(result());
    expect(run.state()).toMatchObject({ currentNode: "q", handoff: null });
  });

  it.each(["end", "z", "p", "nowhere", "toString"])("does not hand it to %s", (node) => {
    const run = swarm();
    expect(handOff(run, node)).toBe("handoff_not_declared");
    expect(getCode(run.work(result({ type: "handoff", node })))).toBe("action_not_granted");
    expect(run.state()).toMatchObject({ currentNode: "p", handoff: null, handoffs: 0 });
  });

  it("hands off once per visit and up to a limit per run, failures included", () => {
    const run = swarm();
    handOff(run, "q");
    expect(handOff(run, "q")).toBe("version_conflict");
    run.work(createFailure("model_failed", { retryable: true }));
    expect(run.state().handoff).toBeNull();
    run.pass(120_000);
    drive(run);
    expect(handOff(run, "q")).toBe("accepted");
    run.work(result());
    expect(handOff(run, "p")).toBe("handoff_limit");
    run.work(result());
    expect(run.state()).toMatchObject({ currentNode: "end", handoffs: 2 });
  });

  it("grants nothing to other nodes, nor to peers that do not swarm", () => {
    const run = started(version([{ id: "p", kind: "agent", config: { agent_id: "plain" } }, step("q")]));
    expect(handOff(run, "q")).toBe("action_not_granted");
  });

  it("keeps the hand-off while the node's writes wait", () => {
    const run = swarm(2, ["is_admin"]);
    handOff(run, "q");
    run.work(result(update("is_admin", true)));
    decideAs(run, reviewer);
    expect(run.state().currentNode).toBe("q");
  });

  it("follows the failure when it fails after a hand-off", () => {
    const run = swarm();
    handOff(run, "q");
    run.work(createFailure("model_failed"));
    expect(run.state()).toMatchObject({ status: "failed", handoff: null });
  });
});
