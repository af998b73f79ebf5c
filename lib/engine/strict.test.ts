import { MOST_REJECTIONS } from "@/lib/engine/approvals/rejected-calls";
import { describe, expect, it } from "vitest";
import type { GraphInput } from "@/lib/graph/document";
import { getControlLabel } from "@/lib/engine/state";
import { child, END, FETCH, fetchAs, step, using, version } from "@/lib/engine/testing/kinds";
import {
  getCode,
  decideAs,
  engine,
  intent,
  openGate,
  result,
  REVIEWER,
  started,
  update,
  user,
  type TestRun,
} from "@/lib/engine/testing/run";
import { ask, drive, createFailure } from "@/lib/engine/testing/work";

type NodeInput = GraphInput["nodes"][number];
type Edges = NonNullable<GraphInput["edges"]>;

const reviewer = user(REVIEWER);
const STRICT = { strict_taint: true };
const READ = { read_keys: ["mail"] };
const edge = (source: string, target: string, change: Partial<Edges[number]> = {}): Edges[number] => ({
  id: `${source}_${target}`,
  source,
  target,
  ...change,
});
const fail = (source: string, target: string): Edges[number] => edge(source, target, { kind: "error" });

const held = (run: TestRun, node: string): void => {
  expect(run.state()).toMatchObject({ status: "waiting", currentNode: node });
  expect(openGate(run).gate.reason).toBe("tainted_route");
};

const LEAD: NodeInput = { id: "lead", kind: "supervisor", ...READ, config: { agent_id: "plain", managed_nodes: ["a", "b"] } };
const SWARM: NodeInput = { id: "s", kind: "agent", ...READ, write_keys: ["out"], config: { agent_id: "plain", swarm: { peers: ["b"] } } };

const supervised = (mail: string | null): TestRun => {
  const edges = [edge("fetch", "lead"), edge("a", "lead"), edge("b", "lead"), edge("lead", "end")];
  const run = started(
    version([FETCH, LEAD, step("a"), step("b"), END], { ...STRICT, edges, start_node: mail === null ? "lead" : "fetch" }),
  );
  if (mail !== null) fetchAs(run, mail);

  return run;
};

const swarm = (change: object = {}): TestRun => {
  const run = started(
    version([FETCH, { ...SWARM, ...change }, END, step("b")], {
      ...STRICT,
      edges: [edge("fetch", "s"), edge("s", "end"), edge("b", "end")],
    }),
  );
  fetchAs(run);

  return run;
};

describe("under strict taint [6]", () => {
  it.each([
    ["a", "a"],
    ["b", "b"],
    [null, "end"],
  ])("a supervisor with untrusted reads that chooses %s waits, and then goes there", (to, next) => {
    const run = supervised("x");
    run.work(result(...(to === null ? [] : [{ type: "goto_node", node: to }])));
    held(run, "lead");
    expect(openGate(run).gate.review_keys).toEqual(["mail"]);
    decideAs(run, reviewer);
    expect(run.state()).toMatchObject({ status: "running", currentNode: next });
    expect(run.state().choices).toEqual({ lead: 1 });
  });

  it("a supervisor without untrusted reads chooses freely", () => {
    const run = supervised(null);
    run.work(result({ type: "goto_node", node: "a" }));
    expect(run.state()).toMatchObject({ status: "running", currentNode: "a" });
  });

  it.each([true, false])("a hand-off waits, and so does its absence (handed off: %s)", (handsOff) => {
    const run = swarm();
    if (handsOff) run.work({ kind: "action", action: { type: "handoff", node: "b" } });
    expect(run.state().handoff).toBe(handsOff ? "b" : null);
    run.work(result(update("out", 1)));
    held(run, "s");
    decideAs(run, reviewer);
    expect(run.state().currentNode).toBe(handsOff ? "b" : "end");
  });

  it("a choice waits even after the node's writes waited", () => {
    const run = swarm({ write_keys: ["is_admin"] });
    run.work({ kind: "action", action: { type: "handoff", node: "b" } });
    run.work(result(update("is_admin", true)));
    expect(openGate(run).gate.reason).toBe("protected_key");
    decideAs(run, reviewer);
    held(run, "s");
    decideAs(run, reviewer);
    expect(run.state().currentNode).toBe("b");
  });

  it("a failure waits where it would choose a route, and does not bypass the gate", () => {
    const run = started(
      version([FETCH, END, step("r")], { ...STRICT, edges: [edge("fetch", "end"), fail("fetch", "r")], end_nodes: ["end", "r"] }),
    );
    run.work(createFailure());
    held(run, "fetch");
    decideAs(run, reviewer);
    expect(run.state()).toMatchObject({ status: "running", currentNode: "r" });
    expect(getControlLabel(run.state()).integrity).toBe("untrusted");
    const rejected = started(run.published);
    rejected.work(createFailure());
    decideAs(rejected, reviewer, "reject");
    expect(rejected.state()).toMatchObject({ status: "failed", currentNode: null });
    const expired = started(run.published);
    expired.work(createFailure());
    expired.pass(86_400_000);
    drive(expired);
    expect(expired.state().status).toBe("failed");
  });

  it("a rejected effect is a decision: its route is not held again", () => {
    const handy: NodeInput = { id: "h", kind: "agent", ...READ, config: { agent_id: "handy" } };
    const edges = [edge("fetch", "h"), edge("h", "end"), fail("h", "r")];
    const run = started(version([FETCH, handy, END, step("r")], { ...STRICT, edges, end_nodes: ["end", "r"] }));
    fetchAs(run);
    for (let nth = 0; nth < MOST_REJECTIONS; nth += 1) {
      run.work(intent("crm", "write", { nth }, `c${nth}`));
      decideAs(run, reviewer, "reject");
    }
    expect(run.state()).toMatchObject({ status: "running", currentNode: "r" });
  });

  it("a failed check waits, since a verdict chooses the route", () => {
    const check: NodeInput = {
      id: "v",
      kind: "verifier",
      ...READ,
      write_keys: ["out"],
      config: { check: { type: "expression", expression: "false" }, on_fail: "fail" },
    };
    const run = started(
      version([FETCH, check, END, step("r")], {
        ...STRICT,
        edges: [edge("fetch", "v"), edge("v", "end"), fail("v", "r")],
        end_nodes: ["end", "r"],
      }),
    );
    fetchAs(run);
    run.work(createFailure("verification_failed"));
    held(run, "v");
    expect(openGate(run).gate.review_keys).toEqual(["mail"]);
  });

  it("a failure caused by trusted values only takes its route", () => {
    const run = started(
      version([step("t", { read_keys: ["topic"] }), END, step("r")], {
        ...STRICT,
        edges: [edge("t", "end"), fail("t", "r")],
        end_nodes: ["end", "r"],
      }),
    );
    run.work(createFailure("expression_failed"));
    expect(run.state()).toMatchObject({ status: "running", currentNode: "r" });
  });

  it("a failure without a route ends the run without a gate", () => {
    const run = started(version([FETCH, END], STRICT));
    run.work(createFailure());
    expect(run.state().status).toBe("failed");
  });

  describe("a map over an untrusted list", () => {
    const MAP: NodeInput = { id: "m", kind: "map", write_keys: ["out"], config: { worker_node: "w", items: { from: "items" } } };
    const worker: NodeInput = { id: "w", kind: "agent", config: { agent_id: "handy" } };
    const mapped = (list: unknown, items: unknown = { from: "items" }): TestRun => {
      const node = { ...MAP, config: { worker_node: "w", items } } as NodeInput;
      const run = started(version([FETCH, node, END, worker], { ...STRICT, edges: [edge("fetch", "m"), edge("m", "end")] }));
      fetchAs(run, list, "items");

      return run;
    };

    it.each([
      ["asks a model", (run: TestRun) => run.work({ kind: "model_intent", task: "item.0", tokens: 1, cost_micro_usd: 0 })],
      ["calls a tool", (run: TestRun) => run.work({ ...intent("docs", "read", {}), task: "item.0" })],
      ["says what came of it", (run: TestRun) => run.work(result(update("out", [])))],
      ["writes in passing", (run: TestRun) => run.work({ kind: "action", action: update("out", []) })],
    ])("waits once before it %s", (_what, act) => {
      for (const list of [[], [1], "no list"]) {
        const run = mapped(list);
        act(run);
        held(run, "m");
        expect(run.state()).toMatchObject({ reservations: {} });
        expect(run.state().cells.some(({ path }) => path === "out")).toBe(false);
        decideAs(run, reviewer);
        expect(run.state()).toMatchObject({ status: "running", currentNode: "m" });
        run.work(result(update("out", [])));
        expect(run.state()).toMatchObject({ status: "running", currentNode: "end" });
      }
    });

    it("fails when rejected", () => {
      const run = mapped([1]);
      ask(run, "item.0");
      decideAs(run, reviewer, "reject");
      expect(run.state().status).toBe("failed");
    });

    it("does not wait for a constant list", () => {
      const run = mapped([1], { value: [1, 2] });
      expect(getCode(ask(run, "item.1"))).toBe("accepted");
    });
  });

  it("all of this applies in subgraphs, whatever their own settings", () => {
    const inner = version([FETCH, { ...LEAD }, step("a"), step("b")], {
      strict_taint: false,
      edges: [edge("fetch", "lead")],
      end_nodes: ["a", "b"],
    });
    const outer = [using("s", "c", { inputs: { topic: "topic" } }, { read_keys: ["topic"] }), END];
    for (const strict of [true, false]) {
      const run = started(version(outer, { strict_taint: strict }, { subgraphs: [child("c", inner)] }));
      run.work(result());
      fetchAs(run);
      run.work(result({ type: "goto_node", node: "a" }));
      expect(run.state().status).toBe(strict ? "waiting" : "running");
    }
  });

  it("a route stays held after a decision at another run's gate, or at none", () => {
    const run = supervised("x");
    run.work(result({ type: "goto_node", node: "a" }));
    const other = supervised("x");
    other.work(result({ type: "goto_node", node: "b" }));
    const gate = openGate(other);
    expect(
      getCode(
        run.propose(reviewer, {
          kind: "decision",
          approval_id: openGate(run).gate.id,
          transition_digest: gate.gate.transition_digest,
          view_digest: "0".repeat(64),
          decision: "approve",
          nonce: openGate(run).gate.nonce,
        }),
      ),
    ).toBe("transition_mismatch");
    expect(getCode(run.propose(engine, { kind: "ascend" }))).toBe("version_conflict");
    held(run, "lead");
  });
});
