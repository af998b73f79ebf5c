import { describe, expect, it } from "vitest";
import { toCanonicalJson } from "@/lib/json";
import type { GraphInput, PublishedGraph } from "@/lib/graph/document";
import { buildApprovalView } from "@/lib/engine/approvals/approval-view";
import { applyRecord } from "@/lib/engine/reduce";
import { createRunState, toMemory } from "@/lib/engine/state";
import { child, END, FETCH, fetchAs, step, using, version, writer } from "@/lib/engine/testing/kinds";
import {
  getCode,
  decideAs,
  decision,
  engine,
  openGate,
  result,
  REVIEWER,
  started,
  STARTER,
  update,
  user,
  type TestRun,
} from "@/lib/engine/testing/run";
import { drive, createFailure } from "@/lib/engine/testing/work";

type NodeInput = GraphInput["nodes"][number];

const reviewer = user(REVIEWER);
const READS = { read_keys: ["topic", "note"], write_keys: ["out", "is_admin"] };
const memory = (run: TestRun) => toMemory(run.state().cells);
const done = (run: TestRun): string => getCode(run.work(result()));

const INNER = version([step("one", { write_keys: ["out", "note", "more"] }), step("two")]);

const outer = (config: object, inner: PublishedGraph = INNER, graph: object = {}, rest: object = READS): PublishedGraph =>
  version(
    [using("s", "c", config, rest), END, step("r")],
    { edges: [{ id: "e", source: "s", target: "end" }], end_nodes: ["end", "r"], ...graph },
    { subgraphs: [child("c", inner)] },
  );

const ERROR_EDGE = {
  edges: [
    { id: "e", source: "s", target: "end" },
    { id: "x", source: "s", target: "r", kind: "error" },
    { id: "t", source: "s", target: "end", kind: "timeout" },
  ],
};

const inside = (config: object, inner?: PublishedGraph, graph?: object, inputs: object = { topic: "plans", note: "ours" }): TestRun => {
  const run = started(outer(config, inner, graph), inputs as never);
  expect(done(run)).toBe("accepted");

  return run;
};

const replayed = (run: TestRun): string => {
  const { workspace, run: id, graphHash, policyHash } = run.state();
  const state: unknown = run.records().reduce(
    (next, signed, index) => {
      const values = JSON.parse(toCanonicalJson(run.values()[index] ?? [])) as never;

      return applyRecord(next, JSON.parse(toCanonicalJson(signed)) as never, values);
    },
    createRunState(workspace, id, graphHash, policyHash),
  );

  return toCanonicalJson(state as never);
};

describe("a subgraph [2]", () => {
  it("has its mapped inputs only", () => {
    const run = inside({ inputs: { more: "note" } });
    expect(memory(run)).toEqual({ more: "ours" });
    expect(run.state()).toMatchObject({ currentNode: "one", status: "running" });
  });

  it("leaves its mapped outputs only; equal names are separate memory", () => {
    const run = inside({ inputs: { more: "note" }, outputs: { out: "note" } });
    run.work(result(update("note", "inner"), update("more", "gone"), update("out", "not ours")));
    done(run);
    drive(run);
    expect(memory(run)).toEqual({ topic: "plans", note: "ours", out: "inner" });
    expect(run.state()).toMatchObject({ currentNode: "end", frames: [], frameEnd: null });
    expect(replayed(run)).toBe(toCanonicalJson(run.state() as never));
  });

  it("has separate ledger paths, so that visits never mix", () => {
    const run = inside({});
    run.work(result(update("note", 1)));
    const paths = run.records().flatMap(({ record }) => record.writes.map((write) => write.path));
    expect(paths).toContain(`@${run.state().frames[0]?.activation}/note`);
    for (const path of ["@3/note", "@1/out", "$goal", "../note"]) expect(getCode(run.work(result(update(path, 1))))).toBe("key_undeclared");
  });

  it("refuses inputs that violate its form, exceed its node's reads, or are protected", () => {
    const form = { type: "object", properties: { more: { type: "integer" } }, additionalProperties: false };
    expect(done(started(outer({ inputs: { more: "note" } }, version([step("one")], { inputs: form })), { note: "text" }))).toBe(
      "inputs_invalid",
    );
    expect(done(started(outer({ inputs: { more: "salary" } }), { salary: 1 }))).toBe("read_not_granted");
    expect(done(started(outer({ inputs: { is_admin: "note" } }), { note: true }))).toBe("key_protected");
    expect(done(started(outer({ inputs: { nowhere: "note" } }), { note: 1 }))).toBe("key_undeclared");
  });

  it("has no result by its executor, neither during work nor at the end", () => {
    const run = started(outer({}));
    expect(getCode(run.work({ kind: "action", action: update("out", "made up") }))).toBe("action_not_granted");
    expect(getCode(run.work(result(update("out", "made up"))))).toBe("action_not_granted");
    expect(run.state().frames).toEqual([]);
  });

  it("with an ungranted output fails its node", () => {
    const run = inside({ outputs: { clean: "note" } });
    run.work(result(update("note", true)));
    done(run);
    drive(run);
    expect(memory(run)).toEqual({ topic: "plans", note: "ours" });
    expect(run.state().lastError).toEqual({ node: "s", code: "write_not_granted" });
  });

  it("with a protected output waits for approval outside", () => {
    const run = inside({ outputs: { is_admin: "note" } });
    run.work(result(update("note", true)));
    done(run);
    drive(run);
    expect(memory(run)).toEqual({ topic: "plans", note: "ours" });
    expect(run.state()).toMatchObject({ status: "waiting", currentNode: "s", frames: [] });
    decideAs(run, reviewer);
    expect(memory(run)["is_admin"]).toBe(true);
  });

  it.each([
    ["fails", (run: TestRun) => run.work(createFailure("model_failed")), "r", "model_failed"],
    ["is too slow", (run: TestRun) => run.pass(5_000), "end", "subgraph_time_limit"],
    ["takes too many steps", (run: TestRun) => done(run), "r", "subgraph_iteration_limit"],
  ])("with %s fails its node, which follows its edges", (_what, act, next, code) => {
    const limited = version([step("one"), step("two")], {
      max_execution_time_ms: 5_000,
      max_iterations: code === "subgraph_iteration_limit" ? 1 : 9,
    });
    const run = inside({}, limited, ERROR_EDGE);
    act(run);
    drive(run);
    expect(run.state()).toMatchObject({
      currentNode: code.endsWith("time_limit") ? "r" : next,
      lastError: { node: "s", code },
      frames: [],
    });
    const alone = inside({}, limited);
    act(alone);
    drive(alone);
    expect(alone.state()).toMatchObject({ status: "failed", currentNode: null, frames: [] });
    expect(replayed(alone)).toBe(toCanonicalJson(alone.state() as never));
  });

  it("of N iterations allows exactly N, under the run's own limits", () => {
    const run = inside({}, version([step("one"), step("two")], { max_iterations: 2 }));
    expect([done(run), done(run)]).toEqual(["accepted", "accepted"]);
    drive(run);
    expect(run.state().currentNode).toBe("end");
    const short = inside({}, INNER, { max_iterations: 1 });
    expect([done(short), done(short)]).toEqual(["accepted", "iteration_limit"]);
  });

  it("is cancelled with the run, which then shows top-level memory", () => {
    const run = inside({ inputs: { more: "note" } });
    expect(getCode(run.propose(user(STARTER, "builder"), { kind: "cancel" }))).toBe("accepted");
    expect(run.state()).toMatchObject({ status: "cancelled", frames: [], currentNode: null });
    expect(memory(run)).toEqual({ topic: "plans", note: "ours" });
    expect(done(run)).toBe("late_result");
  });

  it("opens its own gates with its prompt and data", () => {
    const gate: NodeInput = {
      id: "ask",
      kind: "approval",
      read_keys: ["more"],
      config: { prompt: "Is the inner text good?", review_keys: ["more"], rejection_node: "two" },
    };
    const run = inside(
      { inputs: { more: "note" } },
      version([gate, step("one"), step("two")], { edges: [{ id: "e", source: "ask", target: "one" }], end_nodes: ["one", "two"] }),
    );
    run.work(result({ type: "request_human_input", prompt: "" }));
    const view = buildApprovalView(run.published, run.state(), openGate(run), "pii");
    expect(view).toMatchObject({ prompt: "Is the inner text good?", lines: [{ path: "more", before: { hidden: false, value: "ours" } }] });
    expect(run.state()).toMatchObject({ status: "waiting", frames: [{ node: "s" }] });
    expect(getCode(run.propose(engine, { kind: "ascend" }))).toBe("version_conflict");
    const rejected = started(run.published, { topic: "plans", note: "ours" });
    done(rejected);
    rejected.work(result({ type: "request_human_input", prompt: "" }));
    decideAs(rejected, reviewer, "reject");
    expect(rejected.state()).toMatchObject({ currentNode: "two", frames: [{ node: "s" }] });
    decideAs(run, reviewer);
    expect(run.state()).toMatchObject({ status: "running", currentNode: "one", frames: [{ node: "s" }] });
  });

  it("cannot use a receipt of an outer node of the same name, nor vice versa", () => {
    const write = writer("w", {
      read_keys: [],
      config: { server: "crm", tool: "write", arguments: { what: { value: "same" } }, write_to: "out" },
    });
    const ask: NodeInput = { id: "ask", kind: "approval", config: { prompt: "?", for_node: "w" } };
    const inner = version([ask, step("skip"), write], { edges: [{ id: "e", source: "ask", target: "skip" }], end_nodes: ["skip"] });
    const around = version(
      [using("s", "c"), write, { ...ask, id: "never" }],
      {
        edges: [
          { id: "e", source: "s", target: "w" },
          { id: "z", source: "w", target: "never" },
        ],
        end_nodes: ["w"],
      },
      { subgraphs: [child("c", inner)] },
    );
    const run = started(around);
    done(run);
    run.work(result({ type: "request_human_input", prompt: "" }));
    decideAs(run, reviewer);
    done(run);
    drive(run);
    expect(run.state().currentNode).toBe("w");
    run.work({ kind: "effect_intent", call_id: "c", server: "crm", tool: "write", arguments: { what: "same" }, availability: "ok" });
    expect(run.state()).toMatchObject({ status: "waiting", effects: {} });
  });

  it("used twice starts fresh, without the first one's pending gate", () => {
    const gate: NodeInput = { id: "ask", kind: "approval", config: { prompt: "?" } };
    const inner = version([gate, step("one")]);
    const run = started(version([using("s", "c"), using("t", "c"), END], {}, { subgraphs: [child("c", inner)] }));
    done(run);
    run.work(result({ type: "request_human_input", prompt: "" }));
    const first = decision(run, reviewer);
    decideAs(run, reviewer);
    done(run);
    drive(run);
    done(run);
    run.work(result({ type: "request_human_input", prompt: "" }));
    expect(openGate(run).gate.transition_digest).not.toBe(first.transition_digest);
    expect(getCode(run.propose(reviewer, first))).toBe("approval_closed");
    expect(run.state()).toMatchObject({ status: "waiting", frames: [{ node: "t" }] });
  });

  it("nests 32 deep and no deeper, and returns", () => {
    const run = started(
      version([using("s", "c")], {}, { subgraphs: [child("c", version([using("s", "c", {}), END], { end_nodes: ["end", "s"] }))] }),
    );
    for (let depth = 0; depth < 32; depth += 1) expect(done(run)).toBe("accepted");
    expect(run.state().frames).toHaveLength(32);
    expect(done(run)).toBe("subgraph_depth");
    run.work(createFailure());
    drive(run);
    expect(run.state()).toMatchObject({ status: "failed", frames: [] });
    expect(replayed(run)).toBe(toCanonicalJson(run.state() as never));
  });

  it("is left once, after it ended", () => {
    const run = inside({});
    expect(getCode(run.propose(engine, { kind: "ascend" }))).toBe("version_conflict");
    done(run);
    done(run);
    expect(run.state().currentNode).toBeNull();
    expect(getCode(run.propose(reviewer, { kind: "ascend" }))).toBe("principal_not_allowed");
    expect(getCode(run.propose(engine, { kind: "ascend" }))).toBe("accepted");
    expect(getCode(run.propose(engine, { kind: "ascend" }))).toBe("version_conflict");
    expect(run.state().iterationCount).toBe(3);
  });

  it("uses its own graph's tool pins", () => {
    const inner = version([FETCH, END], {}, { tools: [] });
    const run = inside({ inputs: { topic: "topic" } }, inner);
    expect(
      getCode(
        run.work({ kind: "effect_intent", call_id: "c", server: "docs", tool: "read", arguments: { topic: "plans" }, availability: "ok" }),
      ),
    ).toBe("tool_not_granted");
    const own = inside({ inputs: { topic: "topic" } }, version([FETCH, END]));
    fetchAs(own);
    expect(own.state().currentNode).toBe("end");
  });
});
