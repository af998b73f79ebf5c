import { expect, test } from "vitest";
import type { ExecutorInput } from "@/server/executors/contract";
import { answerValue, parseJsonAnswer } from "@/server/executors/answer-json";
import { parseJudgement, parseScore } from "@/server/executors/score";
import { findAgent, findNode, stageInput } from "@/server/executors/testing/stage";
import { buildOutcome } from "@/server/executors/written";

test.each([
  ['{"a":1}', { a: 1 }],
  [' ["x"] ', ["x"]],
  ['Here:\n```json\n{"a":1}\n```\nDone.', { a: 1 }],
  ['It is {"a":1}.', { a: 1 }],
  ['They are ["x","y"].', ["x", "y"]],
  ["-0", 0],
  ["sorry", undefined],
  ["", undefined],
  ['{"a":"\\ud800"}', undefined],
  ['{"__proto__":{"a":1}}', undefined],
])("extracts from %j the JSON %j", (text, value) => {
  expect(parseJsonAnswer(text)).toEqual(value);
  expect(answerValue(text, "json")).toMatchObject(
    value === undefined ? { code: "answer_not_json", retryable: true } : { type: "value", value },
  );
});

test("a score is a number within its bounds", () => {
  for (const value of ["1", true, null, [1], {}, -0.1, 1.1, undefined]) expect(parseScore(value, 1)).toBeNull();
  expect([0, 0.5, 1].map((value) => parseScore(value, 1))).toEqual([0, 0.5, 1]);
  expect(parseJudgement('{"score":0.4,"reason":"short"}', 1)).toEqual({ score: 0.4, reason: "short" });
  expect(parseJudgement('{"score":"0.9"}', 1)).toEqual({ score: null, reason: "" });
  expect(parseJudgement("0.9", 1).score).toBeNull();
});

const input = (write_keys: string[], ceiling?: string[]): ExecutorInput =>
  stageInput(findNode({ kind: "agent", write_keys, config: { agent_id: "a" } }), {}, [], {
    agent: { ...findAgent("a"), permissions: ceiling ? { write_keys: ceiling } : {} },
  });
const update = (path: string) => ({ type: "result", actions: [{ type: "update_memory", updates: [{ path, value: "v" }] }] });

test("writes a result to its configured key or the only writable one, else fails the node", () => {
  expect(buildOutcome(input(["a", "b"]), "b", "v")).toEqual(update("b"));
  expect(buildOutcome(input(["a"]), undefined, "v")).toEqual(update("a"));
  expect(buildOutcome(input(["a", "b"], ["b"]), undefined, "v")).toEqual(update("b"));
  expect(buildOutcome(input(["a", "b"]), undefined, "v")).toMatchObject({ type: "failure", code: "answer_has_no_key", retryable: false });
  expect(buildOutcome(input(["*"]), undefined, "v")).toMatchObject({ type: "failure", code: "answer_has_no_key" });
  expect(buildOutcome(input([]), undefined, "v")).toEqual({ type: "result", actions: [] });
});

test("proposes a result that the agent's ceiling forbids, so that the ledger has the refusal", () => {
  expect(buildOutcome(input(["a"], []), undefined, "v")).toEqual(update("a"));
  expect(buildOutcome(input([]), "a", "v")).toEqual(update("a"));
});
