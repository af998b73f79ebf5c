import { describe, expect, it } from "vitest";
import type { PublishedGraph } from "@/lib/graph/document";
import { plan } from "@/lib/engine/plan";
import { END, FETCH, fetchAs, step, version, writer } from "@/lib/engine/testing/kinds";
import {
  call,
  getCode,
  decideAs,
  decision,
  engine,
  executor,
  intent,
  openGate,
  result,
  REVIEWER,
  settle,
  started,
  user,
  type TestRun,
} from "@/lib/engine/testing/run";
import { drive, createFailure } from "@/lib/engine/testing/work";

import { cancel, stack, undos, unwind, write } from "@/lib/engine/testing/undo";
const reviewer = user(REVIEWER);
const TWO = version([writer("w1"), writer("w2"), step("last"), END]);

const both = (published: PublishedGraph = TWO): TestRun => {
  const run = started(published);
  write(run);
  write(run);

  return run;
};
describe("compensation [8]", () => {
  it.each([
    ["fails", (run: TestRun) => run.work(createFailure("model_failed")), "failed", "model_failed"],
    ["is cancelled", cancel, "cancelled", "cancelled"],
    ["is too slow", (run: TestRun) => run.pass(3_600_000), "timeout", "time_limit"],
  ])("of a run that %s is executed newest first before the end", (_what, end, status, reason) => {
    const run = both();
    expect(stack(run)).toEqual([
      ["w1", null],
      ["w2", null],
    ]);
    end(run);
    drive(run);
    expect(run.state()).toMatchObject({ status: "running", unwinding: { to: status, reason }, currentNode: null });
    expect(undos(run)).toEqual([[{ what: "w2" }, null]]);
    settle(run, "undone");
    drive(run);
    expect(undos(run)).toEqual([
      [{ what: "w2" }, "ok"],
      [{ what: "w1" }, null],
    ]);
    settle(run, "undone");
    drive(run);
    expect(run.state()).toMatchObject({ status, unwinding: null });
    expect(stack(run)).toEqual([
      ["w1", "done"],
      ["w2", "done"],
    ]);
  });

  it("of a run at its iteration limit is executed too", () => {
    const run = both({ ...TWO, graph: { ...TWO.graph, max_iterations: 2 } });
    unwind(run);
    expect(run.state()).toMatchObject({ status: "failed" });
    expect(stack(run).map(([, outcome]) => outcome)).toEqual(["done", "done"]);
  });

  it("is not executed when the run completes", () => {
    const run = both();
    run.work(result());
    run.work(result());
    expect(run.state().status).toBe("completed");
    expect(undos(run)).toEqual([]);
  });

  it("is stored for successful effects only", () => {
    const failing = started(TWO);
    write(failing, "tool_error");
    expect(stack(failing)).toEqual([]);
    const reading = writer("r", { effect: "read", config: { server: "docs", tool: "read", arguments: {}, write_to: "out" } });
    const run = started(version([reading, END]));
    call(run, "docs", "read", {}, "x");
    expect(run.state().compensation).toEqual([]);
    const bare = started(version([writer("w", { compensation: undefined }), END]));
    write(bare);
    expect(bare.state().compensation).toEqual([]);
    bare.work(createFailure());
    expect(bare.state().status).toBe("failed");
  });

  it("that fails or has no tool is recorded as failed, and the others continue", () => {
    const run = both();
    run.work(createFailure());
    unwind(run, ["tool_error", "ok"]);
    expect(stack(run)).toEqual([
      ["w1", "done"],
      ["w2", "failed"],
    ]);
    const gone = both();
    gone.work(createFailure());
    const { effect_id: newest = "" } = gone.state().compensation.at(-1) ?? {};
    expect(getCode(gone.propose(engine, { kind: "undo", effect_id: newest, availability: "drifted" }))).toBe("accepted");
    unwind(gone, ["ok"]);
    expect(gone.state().status).toBe("failed");
    expect(stack(gone)).toEqual([
      ["w1", "done"],
      ["w2", "failed"],
    ]);
  });

  it("runs in order, once, and only in the undo phase", () => {
    const run = both();
    const [older = "", newer = ""] = run.state().compensation.map(({ effect_id: id }) => id);
    const undo = (id: string) => getCode(run.propose(engine, { kind: "undo", effect_id: id, availability: "ok" }));
    expect(undo(newer)).toBe("nothing_to_undo");
    expect(getCode(run.propose(engine, { kind: "unwound" }))).toBe("nothing_to_undo");
    run.work(createFailure());
    expect(getCode(run.propose(engine, { kind: "unwound" }))).toBe("nothing_to_undo");
    expect(undo(older)).toBe("nothing_to_undo");
    expect(undo(newer)).toBe("accepted");
    expect(undo(newer)).toBe("nothing_to_undo");
    expect(getCode(run.work(result()))).toBe("node_not_active");
    expect(getCode(run.propose(user(REVIEWER), { kind: "unwound" }))).toBe("principal_not_allowed");
  });

  it("settled while its gate is open is done, whatever the decision", () => {
    for (const choice of ["approve", "reject"] as const) {
      const run = both();
      run.work(createFailure());
      drive(run);
      drive(run, 2);
      const { gate } = openGate(run);
      const made = decision(run, reviewer, choice);
      const undo = Object.values(run.state().effects).at(-1)?.effect_id ?? "";
      run.propose(executor(gate.node, 2), { kind: "effect_outcome", effect_id: undo, outcome: "ok", result: 1 }, { epoch: 2 });
      run.propose(reviewer, made, { epoch: 2 });
      expect(stack(run)).toEqual([
        ["w1", null],
        ["w2", "done"],
      ]);
      expect(undos(run).map(([, outcome]) => outcome)).toEqual(["ok"]);
    }
  });

  const tainted = version([FETCH, writer("w1", { read_keys: ["topic", "mail"], approval: "by_rule" }), writer("w2"), step("last")]);
  const taintedRun = (): TestRun => {
    const run = started(tainted);
    fetchAs(run);
    run.work(intent("crm", "write", { what: "plans", by: "w1" }));
    decideAs(run, reviewer);
    write(run);
    write(run);
    run.work(createFailure());
    unwind(run, ["ok"]);

    return run;
  };

  it("on untrusted data needs approval; on trusted data it does not", () => {
    const run = taintedRun();
    expect(run.state()).toMatchObject({ status: "waiting" });
    expect(openGate(run).gate).toMatchObject({ reason: "undo", node: "w1", transition: { effect: { tool: "undo" } } });
    expect(stack(run)).toEqual([
      ["w1", null],
      ["w2", "done"],
    ]);
    decideAs(run, reviewer);
    unwind(run, ["ok"]);
    expect(stack(run)[0]).toEqual(["w1", "done"]);
    expect(run.state().status).toBe("failed");
  });

  it("is recorded as declined after a rejection or expiry", () => {
    const run = taintedRun();
    decideAs(run, reviewer, "reject");
    drive(run);
    expect(stack(run)[0]).toEqual(["w1", "declined"]);
    expect(run.state().status).toBe("failed");
    const late = taintedRun();
    late.pass(86_400_000);
    drive(late);
    expect(stack(late)[0]).toEqual(["w1", "declined"]);
    expect(late.state().status).toBe("failed");
  });

  it("is stopped by a second cancel", () => {
    const run = both();
    cancel(run);
    expect(cancel(run)).toBe("accepted");
    expect(run.state()).toMatchObject({ status: "cancelled", unwinding: null });
    const waiting = taintedRun();
    cancel(waiting);
    expect(waiting.state().status).toBe("cancelled");
    expect(Object.values(waiting.state().gates).some(({ status }) => status === "open")).toBe(false);
  });

  it("continues after a crash: calls possibly sent are repeated only with approval", () => {
    const run = both();
    run.work(createFailure());
    drive(run);
    const epoch = 2;
    expect(plan(run.published, run.state(), run.now(), epoch)).toMatchObject({ type: "propose", body: { kind: "recover" } });
    drive(run, epoch);
    expect(openGate(run).gate).toMatchObject({ reason: "unclear_effect", node: "w2" });
    decideAs(run, reviewer, "reject");
    drive(run, epoch);
    expect(stack(run)).toEqual([
      ["w1", null],
      ["w2", "declined"],
    ]);
  });
});
