import { describe, expect, test } from "vitest";
import type { RunEvent } from "@/lib/engine/event";
import { CLEAN } from "@/lib/graph/label";
import { parseEntries } from "./entries";
import { listChoicesOf, explainDeadEnd, type ForkScene } from "./fork-choices";
import { getNodeNames } from "./node-names";
import { toBatch } from "./testing";
import { makeTimeline } from "./timeline";

const VERSION = "d".repeat(64);
const node = (id: string, title: string) => ({ id, kind: "transform" as const, position: { x: 0, y: 0 }, title });
const graph: ForkScene["graph"] = {
  strictTaint: false,
  memory: [
    { key: "plan", classification: "internal", protected: false },
    { key: "owner", classification: "internal", protected: true },
  ],
  nodes: [node("pick", "Pick one"), node("left", "Go left"), node("right", "")],
  edges: [
    { id: "to_left", source: "pick", target: "left" },
    { id: "to_right", source: "pick", target: "right" },
  ],
  subgraphs: [{ version: VERSION, nodes: [node("left", "Inner left")], edges: [] }],
  agents: ["helper"],
  startNode: "pick",
};
const entered = (id: string, activation: number): RunEvent => ({ type: "node_entered", node: id, activation, edge: null, controls: [] });
const limits = { max_iterations: 50, max_execution_time_ms: 1_000, max_token_budget: null, budget_micro_usd: null };
const timeline = makeTimeline(
  parseEntries(
    toBatch([
      { writes: [{ path: "plan", value: "team", label: CLEAN }], control: [entered("pick", 0)] },
      { control: [entered("left", 1)] },
      { control: [{ type: "frame_entered", node: "left", activation: 1, version: VERSION, ...limits }, entered("left", 2)] },
      { control: [{ type: "status_changed", to: "failed", reason: null }] },
    ]),
  ),
);
const names = getNodeNames(graph);
const after = (seq: number): ForkScene => ({
  graph,
  names,
  state: timeline.stateAt(seq),
  begun: timeline.stateAt(0),
  models: [],
  versions: [],
});

describe("listChoicesOf", () => {
  test("offers memory values as editable text, except protected keys", () => {
    expect(listChoicesOf("memory", after(0))).toEqual([{ value: "plan", label: "plan", text: '"team"' }]);
  });

  test("offers the other route by node titles until the entered node has acted", () => {
    expect(listChoicesOf("route", after(1))).toEqual([{ value: "to_right", label: "Pick one → right" }]);
    expect(listChoicesOf("route", after(2))).toEqual([]);
  });

  test("offers nothing but inputs after the run has ended", () => {
    expect(explainDeadEnd("memory", after(2).state)).toBeNull();
    expect(explainDeadEnd("memory", after(3).state)).toContain("nothing left to do");
    expect(explainDeadEnd("input", after(3).state)).toBeNull();
  });
});

test("resolves a node id per graph", () => {
  expect(names.at([])("left")).toBe("Go left");
  expect(names.at(timeline.stateAt(2).frames)("left")).toBe("Inner left");
});
