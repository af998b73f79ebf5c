import { graphSchema, type PublishedGraph } from "@/lib/graph/document";

/** @param steps one record each: even, from 4 */
export const countingGraph = (steps: number): PublishedGraph => ({
  agents: [],
  tools: [],
  subgraphs: [],
  graph: graphSchema.parse({
    format: "countersign/graph/v1",
    id: `counting_${steps}`,
    name: `Counting in ${steps} steps`,
    inputs: { type: "object", properties: { text: { type: "string" }, count: { type: "number" } }, required: ["text", "count"] },
    memory: [
      { key: "text", schema: { type: "string" }, max_bytes: 4_000_000 },
      { key: "count", schema: { type: "number" } },
    ],
    nodes: [
      {
        id: "first",
        kind: "transform",
        read_keys: ["count"],
        write_keys: ["count"],
        config: { set: [{ path: "count", value: "memory.count" }] },
      },
      {
        id: "work",
        kind: "transform",
        read_keys: ["text", "count"],
        write_keys: ["count"],
        config: { set: [{ path: "count", value: "memory.count + 1.0" }] },
      },
      { id: "more", kind: "router", read_keys: ["text", "count"], config: {} },
      {
        id: "done",
        kind: "transform",
        read_keys: ["count"],
        write_keys: ["count"],
        config: { set: [{ path: "count", value: "memory.count" }] },
      },
    ],
    edges: [
      { id: "begun", source: "first", target: "work" },
      { id: "worked", source: "work", target: "more" },
      { id: "again", source: "more", target: "work", condition: `run.iteration_count < ${steps - 2}` },
      { id: "over", source: "more", target: "done", kind: "default" },
    ],
    start_node: "first",
    end_nodes: ["done"],
    max_iterations: steps + 10,
  }),
});
