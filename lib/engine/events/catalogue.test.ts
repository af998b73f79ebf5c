import { expect, test } from "vitest";
import type { RunEvent } from "@/lib/engine/event";
import { entryOf, EVENTS } from "./catalogue";

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
const detailOf = (event: RunEvent) => entryOf(event).line(event, (id) => id).detail;

test("shows run limits that are below those of the version", () => {
  expect(detailOf(started)).toBe("scripted:honest");
  expect(detailOf({ ...started, limits: { max_token_budget: 1_200, budget_micro_usd: 400_000 } })).toBe(
    "scripted:honest, max 1,200 tokens, max $0.40",
  );
  expect(detailOf({ ...started, limits: { budget_micro_usd: 0 } })).toBe("scripted:honest, max $0.00");
});

test("gives each event a weight of its own, so that a row does not depend on the order of events", () => {
  const weights = Object.values(EVENTS).map(({ weight }) => weight);

  expect(new Set(weights).size).toBe(weights.length);
});
