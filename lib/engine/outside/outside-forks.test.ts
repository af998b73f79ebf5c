import { expect, test } from "vitest";
import { joinLabels } from "@/lib/graph/label";
import { forkOf } from "@/lib/engine/testing/fork";
import { step as node } from "@/lib/engine/testing/kinds";
import { agent, atRest, driven, passes, SOURCE, step } from "@/lib/engine/testing/outside";
import { getCode, hashOf } from "@/lib/engine/testing/run";
import { createFailure } from "@/lib/engine/testing/work";

const GRAPH = driven([node("first"), node("left"), node("right"), node("last")], {
  edges: [
    { id: "to_left", source: "first", target: "left" },
    { id: "to_right", source: "first", target: "right" },
    { id: "left_done", source: "left", target: "last" },
    { id: "right_done", source: "right", target: "last" },
  ],
});

const chosen = () => {
  const run = atRest(GRAPH);
  step(run, "first");
  passes(run);
  step(run, "left");
  passes(run);

  return run;
};

test("a failed action behind a merge keeps earlier choices as controls", () => {
  const run = chosen();
  step(run, "last");
  expect(run.state().controls).toEqual([]);
  run.work(createFailure());

  expect(joinLabels(run.state().controls.map(({ label }) => label)).provenance).toEqual([SOURCE]);
});

test("a fork at rest waits from its own start, without the parent's rest", () => {
  const run = chosen();
  const forked = forkOf(run, run.state().version, { type: "none" }, { by: agent() });

  expect([getCode(forked.verdict), forked.state().waitingSince]).toEqual(["accepted", run.now() + 60_000]);
});

test("a fork does not change between internal and external routing", () => {
  const run = chosen();
  const internal = { ...GRAPH, graph: { ...GRAPH.graph, external: undefined } };
  const change = { type: "version" as const, graph_hash: hashOf(internal) };

  expect(getCode(forkOf(run, run.state().version, change, { version: internal }).verdict)).toBe("fork_change");
});
