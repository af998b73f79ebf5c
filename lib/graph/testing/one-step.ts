/** Smallest publishable graph: one agent `thinker`. */
import { graphSchema, type Graph } from "@/lib/graph/document";

export const oneStepGraph = (id: string, readKeys: readonly string[]): Graph =>
  graphSchema.parse({
    format: "countersign/graph/v1",
    id,
    name: "One step",
    inputs: { type: "object", properties: { question: { type: "string" }, note: { type: "string" } }, additionalProperties: false },
    memory: ["question", "note", "answer"].map((key) => ({ key, schema: { type: "string" } })),
    nodes: [{ id: "think", kind: "agent", read_keys: readKeys, write_keys: ["answer"], config: { agent_id: "thinker" } }],
    edges: [],
    start_node: "think",
    end_nodes: ["think"],
    budget_usd: 1,
  });
