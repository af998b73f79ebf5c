import { expect, test } from "vitest";
import { findNode, shown, stage, stageInput } from "@/server/executors/testing/stage";
import { ModelError } from "@/server/models/contract";

const view = { score: "very high", n: 90, draft: { text: "hello" }, other: "of the run" };
const playing = (check: object, on_fail: "record" | "fail" = "record", line = "") =>
  stage(stageInput(findNode({ kind: "verifier", write_keys: ["verdict"], config: { check, on_fail } }), view, ["judge"]), {
    model: () => line,
  });
const verdict = (value: object) => ({ type: "result", actions: [{ type: "update_memory", updates: [{ path: "verdict", value }] }] });

test.each([
  ["memory.n > 80.0", true],
  ["memory.n > 99.0", false],
  ["memory.score > 80", false],
  ["memory.missing == 1.0", false],
  ["memory.n", false],
  ['"true"', false],
  ["1.0", false],
  ["item == null", false],
])("expression %s: passed is %s", async (expression, passed) => {
  expect(await playing({ type: "expression", expression }).play()).toMatchObject(verdict({ passed, score: passed ? 1 : 0 }));
});

test.each([
  [{ key: "draft", schema: { type: "object", properties: { text: { type: "string" } } } }, true],
  [{ key: "draft", schema: { type: "object", properties: {} } }, false],
  [{ key: "draft.text", schema: { minLength: 9 } }, false],
  [{ key: "missing", schema: {} }, false],
  [{ key: "draft", schema: { $ref: "#/nowhere" } }, false],
])("schema of %j: passed is %s", async (check, passed) => {
  expect(await playing({ type: "schema", ...check }).play()).toMatchObject(verdict({ passed }));
});

test.each([
  ['{"score":0.8,"reason":"fine"}', { passed: true, score: 0.8, reason: "fine" }],
  ['{"score":0.79}', { passed: false, score: 0.79 }],
  ['{"score":"1"}', { passed: false, score: 0 }],
  ['{"score":80}', { passed: false, score: 0 }],
  ['{"passed":true}', { passed: false, score: 0 }],
  ["passed", { passed: false, score: 0 }],
])("judge answer %s: %j", async (line, expected) => {
  expect(await playing({ type: "judge", agent_id: "judge", key: "draft", threshold: 0.8 }, "record", line).play()).toMatchObject(
    verdict(expected),
  );
});

test("a judge sees only the value and criteria, and nothing for an absent value", async () => {
  const play = playing({ type: "judge", agent_id: "judge", key: "draft", criteria: "politeness" }, "record", '{"score":1}');
  await play.play();
  const [request] = play.requests;
  expect(request && shown(request, "task")).toEqual({ value: { text: "hello" } });
  expect(request?.system).toContain("politeness");
  expect(request?.prompt).not.toContain("of the run");

  const absent = playing({ type: "judge", agent_id: "judge", key: "missing" }, "record", '{"score":1}');
  expect(await absent.play()).toMatchObject(verdict({ passed: false }));
  expect(absent.requests).toEqual([]);
});

test("an unavailable judge fails the node without a verdict", async () => {
  const check = { type: "judge", agent_id: "judge", key: "draft" } as const;
  const input = stageInput(findNode({ kind: "verifier", write_keys: ["verdict"], config: { check } }), view, ["judge"]);
  const failing = stage(input, {
    model: () => {
      throw new ModelError("model_timeout", true, "late", { billed: "maybe" });
    },
  });

  await expect(failing.play()).rejects.toMatchObject({ code: "model_timeout" });
});

test("a failed check permanently fails the node where the graph says so", async () => {
  expect(await playing({ type: "expression", expression: "false" }, "fail").play()).toMatchObject({
    type: "failure",
    code: "verification_failed",
    retryable: false,
  });
  expect(await playing({ type: "expression", expression: "true" }, "fail").play()).toMatchObject({ type: "result" });
});
