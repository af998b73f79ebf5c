import { expect, test } from "vitest";
import { enterFrame } from "@/lib/engine/frame";
import { createRunState, type Cell } from "@/lib/engine/state";
import { publishWith } from "@/lib/engine/testing/graph";
import { CLEAN } from "@/lib/graph/label";
import { runReport } from "./report";

const DIGEST = "0".repeat(64);
const cell = (path: string, value: string): Cell => ({
  path,
  seq: 1,
  index: 0,
  label: CLEAN,
  commitment: DIGEST,
  content: { known: true, value },
});

test("a run that stops inside a subgraph reports its own memory, not that of the subgraph", () => {
  const limits = { max_iterations: 1, max_execution_time_ms: 1, max_token_budget: null, budget_micro_usd: null };
  const entered = { iterations: 0, workedMs: 0, tokens: 0, costMicroUsd: 0 };
  const started = { ...createRunState("w", "r", DIGEST, DIGEST), cells: [cell("topic", "rain")] };
  const outer = enterFrame(started, { node: "outer", activation: 2, version: DIGEST, limits, entered });
  const inner = enterFrame({ ...outer, cells: [cell("draft", "d")] }, { node: "inner", activation: 5, version: DIGEST, limits, entered });
  const report = runReport(publishWith(), { ...inner, cells: [cell("secret", "s")], status: "waiting" }, [], {
    ok: true,
    records: 0,
    cellsOpened: 0,
    cellsHidden: 0,
    cellsShredded: 0,
    head: DIGEST,
  });
  expect(report.memory).toEqual({ topic: "rain" });
  expect(Object.keys(report.labels)).toEqual(["topic"]);
});
