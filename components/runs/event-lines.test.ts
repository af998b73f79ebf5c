import { expect, test } from "vitest";
import type { RunEvent } from "@/lib/engine/event";
import { formatLine } from "./event-lines";

const started: RunEvent = {
  type: "run_started",
  graph_id: "g",
  initiator: "00000000-0000-4000-8000-000000000001",
  author: "00000000-0000-4000-8000-000000000002",
  model: "scripted:honest",
  max_iterations: 50,
  max_execution_time_ms: 1_000,
  max_token_budget: 1_200,
  budget_micro_usd: 400_000,
};
const detailOf = (event: RunEvent) => formatLine(event, (id) => id).detail;

test("shows run limits that are below those of the version", () => {
  expect(detailOf(started)).toBe("scripted:honest");
  expect(detailOf({ ...started, limits: { max_token_budget: 1_200, budget_micro_usd: 400_000 } })).toBe(
    "scripted:honest, max 1,200 tokens, max $0.40",
  );
  expect(detailOf({ ...started, limits: { budget_micro_usd: 0 } })).toBe("scripted:honest, max $0.00");
});
