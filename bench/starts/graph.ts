import { graphSchema, type Graph } from "@/lib/graph/document";

export const startedGraph = (): Graph =>
  graphSchema.parse({
    format: "countersign/graph/v1",
    id: "started_by_programs",
    name: "Started by programs",
    description: "Notes an order",
    inputs: { type: "object", properties: { order: { type: "string" } }, required: ["order"] },
    memory: [
      { key: "order", schema: { type: "string" } },
      { key: "noted", schema: { type: "string" } },
    ],
    nodes: [
      {
        id: "note",
        kind: "transform",
        read_keys: ["order"],
        write_keys: ["noted"],
        config: { set: [{ path: "noted", value: "memory.order" }] },
      },
    ],
    edges: [],
    start_node: "note",
    end_nodes: ["note"],
  });
