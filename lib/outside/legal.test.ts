import { describe, expect, test } from "vitest";
import { step as node } from "@/lib/engine/testing/kinds";
import { agent, atRest, does, driven, legal, passes, request, step } from "@/lib/engine/testing/outside";
import { decideAs, newRun, REVIEWER, startBody, user, type TestRun } from "@/lib/engine/testing/run";
import { createFailure } from "@/lib/engine/testing/work";
import { listBlockedActions, listLegalActions, getStanding } from "@/lib/outside/legal";

const ASK = { id: "ask", kind: "approval" as const, config: { prompt: "?", rejection_node: "no" } };
const GRAPH = driven([node("first"), node("left"), node("right"), node("broken"), node("other"), ASK, node("no"), node("last")], {
  end_nodes: ["last", "no"],
  edges: [
    { id: "to_left", source: "first", target: "left", condition: "memory.out > 1.0" },
    { id: "to_right", source: "first", target: "right", condition: "memory.out > 2.0" },
    { id: "to_broken", source: "first", target: "broken", condition: "memory.more.x > 0.0" },
    { id: "to_other", source: "first", target: "other", kind: "default" },
    { id: "to_no", source: "first", target: "no", kind: "error" },
    { id: "left_asks", source: "left", target: "ask" },
    { id: "right_done", source: "right", target: "last" },
    { id: "broken_done", source: "broken", target: "last" },
    { id: "other_done", source: "other", target: "last" },
    { id: "asked", source: "ask", target: "last" },
  ],
});

const why = (run: TestRun) =>
  Object.fromEntries(
    listBlockedActions(GRAPH, run.state()).map(({ action, reason, condition }) => [action, condition ? [reason, condition] : reason]),
  );
const after = (out: number) => {
  const run = atRest(GRAPH);
  step(run, "first");
  does(run, "out", out);

  return run;
};

describe("legal actions", () => {
  test("are the entry at first, and others are unreachable", () => {
    const run = atRest(GRAPH);

    expect(listLegalActions(GRAPH, run.state())).toEqual(["first"]);
    expect(new Set(Object.values(why(run)))).toEqual(new Set(["no_way_from_here"]));
  });

  test("are none before the first rest", () => {
    const run = newRun(GRAPH);
    run.propose(agent(), startBody(GRAPH, {}));

    expect([listLegalActions(GRAPH, run.state()), getStanding(GRAPH, run.state())]).toEqual([[], { is: "at_work", action: "first" }]);
  });

  test("follow the conditions, with a reason for every other action", () => {
    const run = after(2);

    expect(listLegalActions(GRAPH, run.state())).toEqual(legal(run));
    expect([legal(run), why(run)]).toEqual([
      ["left"],
      {
        first: "no_way_from_here",
        right: ["condition_false", "memory.out > 2.0"],
        broken: ["condition_failed", "memory.more.x > 0.0"],
        other: "chosen_otherwise",
        ask: "no_way_from_here",
        no: "no_way_from_here",
        last: "no_way_from_here",
      },
    ]);
  });

  test("are none while an action is at work", () => {
    const run = atRest(GRAPH);
    step(run, "first");

    expect([listLegalActions(GRAPH, run.state()), getStanding(GRAPH, run.state()).is]).toEqual([[], "at_work"]);
    expect(new Set(Object.values(why(run)))).toEqual(new Set(["at_work"]));
  });

  test("are none while an action waits for a person", () => {
    const run = atRest(GRAPH);
    request(run, "first");

    expect(listLegalActions(GRAPH, run.state())).toEqual([]);
    expect(getStanding(GRAPH, run.state())).toEqual({ is: "gated", action: "first", reason: "requested" });
    expect(new Set(Object.values(why(run)))).toEqual(new Set(["approval_pending"]));
  });

  test('follow a rejection, and the approved route is "chosen otherwise"', () => {
    const run = after(2);
    step(run, "left");
    passes(run);
    step(run, "ask");
    run.work({ kind: "node_result", actions: [{ type: "request_human_input", prompt: "" }] });
    decideAs(run, user(REVIEWER), "reject");

    expect([listLegalActions(GRAPH, run.state()), why(run)]).toMatchObject([
      ["no"],
      { last: "chosen_otherwise", first: "no_way_from_here" },
    ]);
  });

  test("follow a failure", () => {
    const run = atRest(GRAPH);
    step(run, "first");
    run.work(createFailure());

    expect([listLegalActions(GRAPH, run.state()), why(run)]).toMatchObject([["no"], { other: "chosen_otherwise" }]);
  });

  test("are none after the end", () => {
    const run = after(2);
    run.propose(agent(), { kind: "cancel" });

    expect([listLegalActions(GRAPH, run.state()), new Set(Object.values(why(run)))]).toEqual([[], new Set(["finished"])]);
  });
});
