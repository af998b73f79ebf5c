import { expect, test, vi } from "vitest";
import { SMALL_GRAPH } from "./testing.ts";
import { invalid, run, says } from "./testing-run.ts";

vi.setConfig({ testTimeout: 90_000 });

const { agents, ...INNER } = { ...SMALL_GRAPH, id: "inner", name: "Inner" };

const step = (graphId: string) => ({
  id: `to-${graphId}`,
  kind: "subgraph",
  read_keys: ["topic"],
  write_keys: ["answer"],
  config: { graph_id: graphId, inputs: { topic: "topic" }, outputs: { answer: "answer" } },
});

const around = (id: string, graphId: string, more: object = {}) => ({
  ...INNER,
  id,
  name: id,
  nodes: [step(graphId)],
  start_node: `to-${graphId}`,
  end_nodes: [`to-${graphId}`],
  ...more,
});

test("runs subgraphs included in the file, two levels deep, and returns only their declared outputs", async () => {
  const subgraphs = [INNER, around("middle", "inner")];
  const done = await run(around("main", "middle", { agents, subgraphs }), {
    inputs: { topic: "rain" },
    script: says({ text: "It rains." }),
  });

  expect(done).toMatchObject({
    code: 0,
    status: "completed",
    memory: { topic: "rain", answer: "It rains." },
    visited_nodes: ["to-middle", "to-inner", "write"],
    refusals: [],
    usage: { model_calls: 1 },
    verify: { ok: true, records: done.records.length, problems: [] },
  });
});

test("runs nothing when an included graph has an error", async () => {
  const subgraphs = [{ ...INNER, start_node: "nowhere" }];
  expect(await invalid(around("main", "inner", { agents, subgraphs }))).toContain("unknown_start");
});
