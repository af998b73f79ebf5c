import { describe, expect, test } from "vitest";
import type { GraphInput } from "@/lib/graph/document";
import { toMemory, type RunState } from "@/lib/engine/state";
import { child, END, step as node, using, version, writer } from "@/lib/engine/testing/kinds";
import { agent, atRest, does, driven, IDLE_MS, legal, passes, step } from "@/lib/engine/testing/outside";
import {
  getCode,
  decideAs,
  engine,
  executor,
  intent,
  openGate,
  REVIEWER,
  settle,
  startBody,
  newRun,
  user,
  type TestRun,
} from "@/lib/engine/testing/run";
import { drive, createFailure } from "@/lib/engine/testing/work";

const INPUTS = [{ name: "subject", path: "topic" }];
const TOPICAL = node("first", { action: { inputs: INPUTS } });
const TRUSTED = agent({ integrity: "trusted" });
const ROW = driven([TOPICAL, node("last")]);

const memory = (run: TestRun) => toMemory(run.state().cells);
const place = ({ position, controls, cells }: RunState) => ({ actions: position?.actions, after: position?.after, controls, cells });

const withEdges = (...edges: NonNullable<GraphInput["edges"]>) =>
  driven(
    [node("first"), TOPICAL, node("rescue"), node("late"), node("last")].map((one, index) => (index === 1 ? { ...one, id: "risky" } : one)),
    {
      edges: [
        { id: "on", source: "first", target: "risky" },
        { id: "done", source: "risky", target: "last" },
        { id: "rescued", source: "rescue", target: "last" },
        { id: "too_late", source: "late", target: "last" },
        ...edges,
      ],
    },
  );

const atRisk = (published: ReturnType<typeof withEdges>) => {
  const run = atRest(published);
  step(run, "first");
  does(run, "out", "before");
  step(run, "risky", { subject: "x" });
  run.work({ kind: "action", action: { type: "update_memory", updates: [{ path: "note", value: "half done" }] } });

  return run;
};

const ERROR = { id: "failed", source: "risky", target: "rescue", kind: "error" as const };
const TIMEOUT = { id: "timed_out", source: "risky", target: "late", kind: "timeout" as const };

describe("a failed action", () => {
  test.each(["tool_error", "node_timeout"])("leaves the run at its place: %s", (code) => {
    const run = atRest(withEdges());
    step(run, "first");
    does(run, "out", "before");
    const before = place(run.state());
    step(run, "risky", { subject: "x" });
    run.work({ kind: "action", action: { type: "update_memory", updates: [{ path: "note", value: "half done" }] } });
    expect(memory(run)).toEqual({ out: "before", topic: "x", note: "half done" });
    run.work(createFailure(code));

    expect(place(run.state())).toEqual(before);
    expect([run.state().lastError, run.records().at(-1)?.record.control.at(-2)]).toMatchObject([
      { node: "risky", code },
      { type: "action_awaited", cause: "failed", after: "first" },
    ]);
  });

  test("is retried by its failure policy, and is in flight meanwhile", () => {
    const run = atRisk(withEdges());
    run.work(createFailure("tool_error", { retryable: true }));

    expect([run.state().status, getCode(step(run, "last"))]).toEqual(["retrying", "approval_pending"]);
    run.pass(10_000);
    drive(run);
    run.work(createFailure("tool_error", { retryable: true }));
    run.pass(10_000);
    drive(run);
    run.work(createFailure("tool_error", { retryable: true }));
    expect(legal(run)).toEqual(["risky"]);
  });

  test("leads to its error edge's target only", () => {
    const run = atRisk(withEdges(ERROR, TIMEOUT));
    run.work(createFailure());

    expect([legal(run), memory(run), run.state().position?.after]).toEqual([["rescue"], { out: "before" }, "risky"]);
    expect(run.state().position?.label.integrity).toBe("untrusted");
  });

  test("leads to its timeout edge's target after a timeout", () => {
    const run = atRisk(withEdges(ERROR, TIMEOUT));
    run.work(createFailure("node_timeout"));

    expect(legal(run)).toEqual(["late"]);
  });

  test("needs approval for its route under strict taint; a rejection leaves the run at its place", () => {
    const strict = withEdges(ERROR);
    const published = { ...strict, graph: { ...strict.graph, strict_taint: true } };
    const [yes, no] = [atRisk(published), atRisk(published)];
    yes.work(createFailure());
    no.work(createFailure());
    decideAs(yes, user(REVIEWER));
    decideAs(no, user(REVIEWER), "reject");

    expect([legal(yes), legal(no)]).toEqual([["rescue"], ["risky"]]);
    expect(memory(yes)).toEqual(memory(no));
  });

  test("keeps its effects on record and on the undo stack", () => {
    const run = atRest(driven([writer("pay"), END]), { topic: "plans" }, TRUSTED);
    step(run, "pay", null, TRUSTED);
    run.work(intent("crm", "write", { what: "plans", by: "pay" }));
    settle(run, { id: 1 });
    run.work(createFailure());

    expect([legal(run), run.state().compensation.map(({ node: at, outcome }) => [at, outcome])]).toEqual([["pay"], [["pay", null]]]);
    run.propose(TRUSTED, { kind: "cancel" });
    expect(run.state().unwinding?.to).toBe("cancelled");
    expect(getCode(step(run, "pay", null, TRUSTED))).toBe("run_finished");
    drive(run);
    settle(run, {});
    drive(run);
    expect([run.state().status, run.state().compensation[0]?.outcome]).toEqual(["cancelled", "done"]);
  });
});

describe("an executor that outlives its action", () => {
  const late = () => {
    const run = atRest(ROW);
    step(run, "first", { subject: "x" });
    const { activation } = run.state();
    run.work(createFailure("node_timeout"));

    return { run, activation: activation ?? 0 };
  };

  test("never changes state", () => {
    const { run, activation } = late();
    const before = place(run.state());
    const verdict = run.propose(executor("first"), { kind: "node_result", activation, actions: [] });

    expect([getCode(verdict), place(run.state())]).toEqual(["late_result", before]);
  });

  test("never advances the same action taken again", () => {
    const { run, activation } = late();
    step(run, "first", { subject: "again" });

    expect(getCode(run.propose(executor("first"), { kind: "node_result", activation, actions: [] }))).toBe("late_result");
    expect(run.state().currentNode).toBe("first");
  });

  test("gets its call's answer recorded while the run rests", () => {
    const run = atRest(driven([writer("pay"), END]), { topic: "plans" }, TRUSTED);
    step(run, "pay", null, TRUSTED);
    run.work(intent("crm", "write", { what: "plans", by: "pay" }));
    run.work(createFailure("node_timeout"));
    const before = place(run.state());

    expect(getCode(settle(run, { id: 1 }))).toBe("accepted");
    expect(place(run.state())).toEqual(before);
    expect(run.state().compensation).toHaveLength(1);
  });

  test("is abandoned on record when its runner is gone, and the run still rests", () => {
    const run = atRest(driven([writer("pay"), END]), { topic: "plans" }, TRUSTED);
    step(run, "pay", null, TRUSTED);
    run.work(intent("crm", "write", { what: "plans", by: "pay" }));
    run.work(createFailure("node_timeout"));
    drive(run, 2);

    expect([Object.values(run.state().effects).map(({ outcome }) => outcome), legal(run)]).toEqual([["abandoned"], ["pay"]]);
  });
});

describe("an action with unknown outcome", () => {
  const unclear = () => {
    const run = atRest(driven([writer("pay"), END]), { topic: "plans" }, TRUSTED);
    step(run, "pay", null, TRUSTED);
    run.work(intent("crm", "write", { what: "plans", by: "pay" }));
    drive(run, 2);

    return run;
  };

  test("waits for a person, without steps meanwhile", () => {
    const run = unclear();

    expect([openGate(run).gate.reason, getCode(step(run, "pay", null, TRUSTED))]).toEqual(["unclear_effect", "approval_pending"]);
  });

  test("fails when the person rejects", () => {
    const run = unclear();
    decideAs(run, user(REVIEWER), "reject");

    expect([legal(run), Object.values(run.state().effects).map(({ outcome }) => outcome)]).toEqual([["pay"], ["abandoned"]]);
  });
});

describe("a subgraph is one action", () => {
  const inner = version([node("one"), node("two")], { external: {} });
  const published = driven([using("sub", "c"), END], {}, { subgraphs: [child("c", inner)] });

  test("that runs on its own, whatever the inner graph says", () => {
    const run = atRest(published);
    step(run, "sub");
    passes(run);

    expect([run.state().currentNode, step(run, "sub")]).toMatchObject([
      "one",
      { refusal: { code: "approval_pending", legal: ["step:sub"] } },
    ]);
    passes(run);
    passes(run);
    drive(run);
    expect(legal(run)).toEqual(["end"]);
  });

  test("that fails with it", () => {
    const run = atRest(published);
    step(run, "sub");
    passes(run);
    run.work(createFailure());
    drive(run);

    expect([legal(run), run.state().frames]).toEqual([["sub"], []]);
  });
});

describe("limits", () => {
  test("exclude time at rest, but a rest can time out", () => {
    const run = atRest(driven([TOPICAL, node("last")], { max_execution_time_ms: 1_000 }));
    run.pass(IDLE_MS - 1);
    drive(run);
    expect(run.state().status).toBe("waiting");
    expect(getCode(run.propose(engine, { kind: "stop", limit: "idle_limit" }))).toBe("version_conflict");
    run.pass(1);
    drive(run);

    expect([run.state().status, run.records().at(-1)?.record.control.at(-1)]).toEqual([
      "cancelled",
      { type: "status_changed", to: "cancelled", reason: "idle_limit" },
    ]);
  });

  test("of one iteration allow exactly one action", () => {
    const run = atRest(driven([node("first"), node("last")], { max_iterations: 1 }));
    step(run, "first");
    passes(run);

    expect(getCode(step(run, "last"))).toBe("iteration_limit");
    drive(run);
    expect([run.state().status, run.state().iterationCount]).toEqual(["failed", 1]);
  });

  test("count failed actions as iterations", () => {
    const run = atRest(driven([node("first"), node("last")], { max_iterations: 2 }));
    step(run, "first");
    run.work(createFailure());
    step(run, "first");
    run.work(createFailure());

    expect(getCode(step(run, "first"))).toBe("iteration_limit");
    drive(run);
    expect([run.state().status, run.state().iterationCount]).toEqual(["failed", 2]);
  });

  test("starts an external graph with inputs as trusted as the token", () => {
    const run = newRun(ROW);
    run.propose(agent(), startBody(ROW, { topic: "plans" }));

    expect(run.state().cells[0]?.label.integrity).toBe("untrusted");
  });

  test("lets an agent cancel its run", () => {
    const run = atRest(ROW);

    expect(getCode(run.propose(agent(), { kind: "cancel", reason: "enough" }))).toBe("accepted");
    expect(run.state().status).toBe("cancelled");
  });
});
