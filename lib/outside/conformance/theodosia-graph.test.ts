/** Theodosia checks 31, 43 and 44 (docs/decisions/conformance.md). */
import { expect, test } from "vitest";
import { parseEntries } from "@/lib/engine/testing/entries";
import { forkOf } from "@/lib/engine/testing/fork";
import { child, step as node, using, version } from "@/lib/engine/testing/kinds";
import { agent, atRest, does, driven, legal, passes, step } from "@/lib/engine/testing/outside";
import { drive, createFailure } from "@/lib/engine/testing/work";
import type { TestRun } from "@/lib/engine/testing/run";
import { toGraphResource } from "@/lib/outside/graph-json";
import { NOTHING_SEALED } from "@/lib/engine/labels/reading";
import { forkPoint, buildHistory } from "@/lib/outside/history";
import { toMermaid } from "@/lib/outside/mermaid";

const INSIDE = version([node("within")]);
const NESTED = driven(
  [
    using("one", "c", { outputs: { out: "out" } }, { write_keys: ["out"] }),
    using("two", "c", { outputs: { note: "out" } }, { write_keys: ["note"] }),
    node("last"),
  ],
  {},
  { subgraphs: [child("c", INSIDE)] },
);

const inside = (run: { records: TestRun["records"] }) =>
  run.records().flatMap(({ record }) => record.control.flatMap((event) => (event.type === "frame_entered" ? [event.type] : [])));

test("31. what ran inside an action before the fork is kept, and later work is dropped", () => {
  const run = atRest(NESTED);
  for (const action of ["one", "two"]) {
    step(run, action);
    passes(run);
    does(run);
    drive(run);
  }
  expect([inside(run).length, legal(run)]).toEqual([2, ["last"]]);
  const [first] = buildHistory(NESTED, parseEntries(run), { limit: 10, sealed: NOTHING_SEALED }).entries;
  const point = forkPoint(NESTED, parseEntries(run), first?.seq ?? 0);
  const forked = forkOf(run, point.ok ? point.value : 0, { type: "none" }, { by: agent(), effects: "live" });
  const before = forked.entries().map(({ signed }) => signed);
  expect(inside({ records: () => before })).toHaveLength(1);
  expect([legal(forked), forked.state().cells.map(({ path }) => path)]).toEqual([["two"], ["out"]]);
});

const ROUTED = driven([node("first"), node("left"), node("right"), node("other"), node("rescue"), node("late"), node("last")], {
  end_nodes: ["last"],
  edges: [
    { id: "to_left", source: "first", target: "left", condition: "memory.out > 1.0" },
    { id: "to_right", source: "first", target: "right", condition: "memory.out > 2.0" },
    { id: "to_other", source: "first", target: "other", kind: "default" },
    { id: "to_rescue", source: "first", target: "rescue", kind: "error" },
    { id: "to_late", source: "first", target: "late", kind: "timeout" },
    ...["left", "right", "other", "rescue", "late"].map((source) => ({ id: `${source}_done`, source, target: "last" })),
  ],
});

const walked = (): ReadonlySet<string> => {
  const seen = new Set<string>();
  const outcomes: readonly ((run: TestRun) => unknown)[] = [
    ...[1, 2, 3].map((out) => (run: TestRun) => does(run, "out", out)),
    (run) => run.work(createFailure("tool_error")),
    (run) => run.work(createFailure("node_timeout")),
  ];
  const after = (outcome: (run: TestRun) => unknown): TestRun => {
    const run = atRest(ROUTED);
    step(run, "first");
    outcome(run);

    return run;
  };
  for (const outcome of outcomes)
    for (const chosen of legal(after(outcome))) {
      seen.add(`first ${chosen}`);
      const run = after(outcome);
      step(run, chosen);
      passes(run);
      for (const next of legal(run)) seen.add(`${chosen} ${next}`);
    }

  return seen;
};

test("44. diagram, graph and engine have the same edges between actions", () => {
  const diagram = toMermaid(ROUTED.graph);
  const names = new Map([...diagram.matchAll(/state "(\S+)" as (n\d+)/gu)].map(([, id = "", name = ""]) => [name, id]));
  const drawn = [...diagram.matchAll(/^ {2}(n\d+) --> (n\d+)/gmu)].map(([, from = "", to = ""]) => `${names.get(from)} ${names.get(to)}`);
  const said = toGraphResource(ROUTED).transitions.map(({ from, to }) => `${from} ${to}`);
  const really = [...walked()].toSorted();
  expect(really).toHaveLength(10);
  expect(drawn.toSorted()).toEqual(really);
  expect(said.toSorted()).toEqual(really);
});
