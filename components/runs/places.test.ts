import { describe, expect, test } from "vitest";
import type { RunEvent } from "@/lib/engine/event";
import { CLEAN } from "@/lib/graph/label";
import { parseEntries } from "./entries";
import { getOutermostNode } from "./places";
import { listPathChanges } from "./step-diff";
import { toBatch } from "./testing";
import { makeTimeline } from "./timeline";

const write = (path: string, value: number) => ({ path, value, label: CLEAN });
const entered = (node: string, activation: number): RunEvent => ({ type: "node_entered", node, activation, edge: null, controls: [] });
const limits = { max_iterations: 50, max_execution_time_ms: 1_000, max_token_budget: null, budget_micro_usd: null };

const entries = parseEntries(
  toBatch([
    { writes: [write("plan", 1)], control: [entered("desk", 0)] },
    {
      writes: [write("@0/plan", 2)],
      control: [{ type: "frame_entered", node: "desk", activation: 0, version: "d".repeat(64), ...limits }, entered("inner", 1)],
    },
    { writes: [write("@0/plan", 3)] },
    { writes: [write("plan", 4)], control: [{ type: "frame_left" }, entered("after", 3)] },
  ]),
);
const timeline = makeTimeline(entries);

const changeAt = (seq: number) => {
  const entry = entries[seq];

  return entry && listPathChanges(timeline.stateAt(seq - 1), timeline.stateAt(seq), entry);
};

describe("a run inside a subgraph", () => {
  test("shows which memory changed and compares within that memory", () => {
    const value = (held: number) => ({ kind: "value", value: held });
    expect(changeAt(1)).toMatchObject([{ path: "desk / plan", before: { kind: "absent" }, after: value(2) }]);
    expect(changeAt(2)).toMatchObject([{ path: "desk / plan", before: value(2), after: value(3) }]);
    expect(changeAt(3)).toMatchObject([{ path: "plan", before: value(1), after: value(4) }]);
  });

  test("highlights the subgraph node and counts no inner node as visited", () => {
    expect(getOutermostNode(timeline.stateAt(2))).toBe("desk");
    expect([...timeline.tracks.entered]).toEqual([
      ["desk", 0],
      ["after", 3],
    ]);
  });
});
