import { randomUUID } from "node:crypto";
import { graphSchema, type PublishedGraph } from "@/lib/graph/document";
import { command, type Desk } from "@/server/runner/testing/desk";

export const quietChain = (steps: number, asks = false): PublishedGraph => ({
  agents: [],
  tools: [],
  subgraphs: [],
  graph: graphSchema.parse({
    format: "countersign/graph/v1",
    id: "steps",
    name: `${steps} steps`,
    inputs: { type: "object", properties: {} },
    memory: [{ key: "count", schema: { type: "number" } }],
    nodes: [
      ...Array.from({ length: steps }, (_, n) => ({
        id: `n${n}`,
        kind: "transform",
        read_keys: [],
        write_keys: ["count"],
        config: { set: [{ path: "count", value: `${n}.0` }] },
      })),
      ...(asks ? [{ id: `n${steps}`, kind: "approval", read_keys: ["count"], write_keys: [], config: { prompt: "Go on?" } }] : []),
    ],
    edges: Array.from({ length: steps - (asks ? 0 : 1) }, (_, n) => ({ id: `e${n}`, source: `n${n}`, target: `n${n + 1}` })),
    start_node: "n0",
    end_nodes: [`n${steps - (asks ? 0 : 1)}`],
    max_iterations: 1_000,
  }),
});

export const startChain = async (desk: Desk, hash: string): Promise<string> => {
  const runId = randomUUID();
  await command(desk, runId, desk.people.starter, {
    kind: "start",
    graph_hash: hash,
    goal: "",
    constraints: [],
    inputs: {},
    model: "scripted:honest",
  });

  return runId;
};
