import { expect, test } from "vitest";
import { findAgent, findNode, shown, stage, stageInput } from "@/server/executors/testing/stage";

const node = findNode({ kind: "supervisor", config: { agent_id: "boss", managed_nodes: ["research", "write"] } });
const playing = (...lines: string[]) => {
  const play = stage(stageInput(node, { topic: "tea" }, [], { agent: findAgent("boss") }), { model: ({ step }) => lines[step] ?? "" });

  return play;
};

test("shows the supervisor its managed nodes and view, and proposes its choice with its reason", async () => {
  const stageOf = playing('{"next":"write","reasoning":"enough is known"}');

  expect(await stageOf.play()).toEqual({ type: "result", actions: [{ type: "goto_node", node: "write", reason: "enough is known" }] });
  const [request] = stageOf.requests;
  expect(request && shown(request, "task")).toEqual({ managed_nodes: ["research", "write"] });
  expect(request && shown(request, "memory")).toEqual({ topic: "tea" });
});

test("done leaves routing to the edges", async () => {
  expect(await playing('{"next":"done"}').play()).toEqual({ type: "result", actions: [] });
});

test("proposes an unmanaged node, so that the ledger has the refusal", async () => {
  const pay = '{"next":"pay"}';

  expect(await playing(pay, pay, pay).play()).toEqual({ type: "result", actions: [{ type: "goto_node", node: "pay" }] });
});

test.each(["write", '{"next":2}', '{"reasoning":"x"}', "[]"])("%s is not a choice and can be retried", async (line) => {
  expect(await playing(line).play()).toMatchObject({ type: "failure", code: "answer_not_json", retryable: true });
});
