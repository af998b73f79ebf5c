import { expect, test } from "vitest";
import { buildExecutorInput } from "@/lib/engine/executor-input";
import { nodesWith, publishWith } from "@/lib/engine/testing/graph";
import { atTriage } from "@/lib/engine/testing/run";
import { transformExecutor } from "@/server/executors/transform";
import type { JsonObject } from "@/lib/json";
import { findNode, stage, stageInput, workerOf } from "@/server/executors/testing/stage";

const transformed = (value: string) => {
  const published = publishWith({ nodes: nodesWith("decline", { read_keys: ["request"], config: { set: [{ path: "result", value }] } }) });
  const node = published.graph.nodes.find(({ id }) => id === "decline");
  if (!node) throw new Error("no node");

  return transformExecutor(() => buildExecutorInput(published, atTriage(published).state(), node, 0));
};

test("a transform asks for labels of what it reads", () => {
  expect(transformed("tainted(memory.request.plan)")).toMatchObject({ actions: [{ updates: [{ path: "result", value: true }] }] });
  expect(transformed("label(memory.request).integrity")).toMatchObject({ actions: [{ updates: [{ value: "untrusted" }] }] });
  expect(transformed("tainted(memory.note)")).toMatchObject({ type: "failure" });
});

test("nor does it learn the label of what it was not granted", () => {
  expect(transformed("tainted(memory.mail)")).toMatchObject({ type: "failure" });
});

test("a map's worker computes with the integers that the list declares", async () => {
  const worker = workerOf(findNode({ kind: "transform", config: { set: [{ path: "x", value: "item % 2" }] } }, "worker"));
  const map = findNode({
    kind: "map",
    write_keys: ["results"],
    config: { worker_node: "worker", items: { from: "items" }, write_to: "results" },
  });
  const play = (item: JsonObject | undefined) => {
    const computed = { declared: { keys: {}, item }, labels: {} };

    return stage(stageInput(map, { items: [1, 2, 3] }, [], { worker, computed }), {}).play();
  };
  expect(await play({ type: "integer" })).toMatchObject({ actions: [{ updates: [{ value: [1, 0, 1] }] }] });
  expect(await play(undefined)).toMatchObject({ actions: [{ updates: [{ value: [null, null, null] }] }] });
});
