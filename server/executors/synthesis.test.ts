import { expect, test } from "vitest";
import { findAgent, findNode, shown, stage, stageInput } from "@/server/executors/testing/stage";

const view = { b: ["x"], a: "Text one is here." };

test.each([
  ["object", { b: ["x"], a: "Text one is here." }],
  ["list", ["x", "Text one is here."]],
  ["text", '["x"]\n\nText one is here.'],
] as const)("without an agent a synthesizer merges by rule, as %s, in the order of its reads, without a model", async (merge, value) => {
  const node = findNode({ kind: "synthesizer", read_keys: ["b", "a"], write_keys: ["all"], config: { merge } });
  const play = stage(stageInput(node, view), {});

  expect(await play.play()).toEqual({ type: "result", actions: [{ type: "update_memory", updates: [{ path: "all", value }] }] });
  expect(play.count()).toBe(0);
});

test("writes an agent's synthesis; an agent missing from the version is a failure", async () => {
  const node = findNode({ kind: "synthesizer", write_keys: ["all"], config: { agent_id: "editor", answer: "json" } });
  const play = stage(stageInput(node, view, [], { agent: findAgent("editor") }), { model: () => '{"n":1}' });

  expect(await play.play()).toMatchObject({ actions: [{ updates: [{ path: "all", value: { n: 1 } }] }] });
  expect(play.requests[0] && shown(play.requests[0], "memory")).toEqual(view);
  expect(await stage(stageInput(node, view), {}).play()).toMatchObject({ type: "failure", code: "agent_missing" });
});

const reflection = (config: object) =>
  findNode({ kind: "reflection", read_keys: ["a", "b"], write_keys: ["facts"], config: { topic: "plans", ...config } });

test("reflection by rules keeps distinct sentences without a model", async () => {
  const mails = { a: "The plan is Team. Ok. The plan is Team.", b: { c: "Ann pays by card." } };
  const play = stage(stageInput(reflection({ write_to: "facts" }), mails), {});
  const facts = ["The plan is Team.", "Ann pays by card."];

  expect(await play.play()).toEqual({
    type: "result",
    actions: [{ type: "update_memory", updates: [{ path: "facts", value: facts }] }],
  });
  expect(play.count()).toBe(0);
});

test("an agent's facts are a bounded list of sentences; other answers can be retried", async () => {
  const node = reflection({ extractor: { type: "agent", agent_id: "scribe" }, max_facts: 2 });
  const playing = (line: string) => stage(stageInput(node, view, [], { agent: findAgent("scribe") }), { model: () => line });

  expect(await playing('["One.","One.","Two.","Three."]').play()).toEqual({
    type: "result",
    actions: [{ type: "update_memory", updates: [{ path: "facts", value: ["One.", "Two."] }] }],
  });
  for (const line of ["One. Two.", '{"facts":[]}', '["One.", 2]']) {
    expect(await playing(line).play()).toMatchObject({ type: "failure", code: "answer_not_json", retryable: true });
  }
});

test("a subgraph and a router have no work", async () => {
  for (const node of [findNode({ kind: "subgraph", config: { graph_id: "child" } }), findNode({ kind: "router", config: {} })]) {
    expect(await stage(stageInput(node, {}), {}).play()).toEqual({ type: "result", actions: [] });
  }
});
