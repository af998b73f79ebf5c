import { graphSchema, type PublishedGraph } from "@/lib/graph/document";

/** One write that waits. @param tools pinned */
export const writingGraph = (tools: PublishedGraph["tools"]): PublishedGraph => ({
  agents: [],
  tools: tools.filter(({ tool }) => tool === "update_plan"),
  subgraphs: [],
  graph: graphSchema.parse({
    format: "countersign/graph/v1",
    id: "write",
    name: "One write",
    inputs: { type: "object", properties: { reason: { type: "string" } }, required: ["reason"] },
    memory: [{ key: "reason", schema: { type: "string" } }],
    nodes: [
      {
        id: "write",
        kind: "tool",
        title: "Write",
        approval: "always",
        effect: "write",
        read_keys: ["reason"],
        config: {
          server: "customers",
          tool: "update_plan",
          arguments: {
            customer_id: { value: "cus_1001" },
            plan: { value: "team" },
            credit_cents: { value: 100 },
            reason: { from: "reason" },
          },
        },
      },
    ],
    edges: [],
    start_node: "write",
    end_nodes: ["write"],
  }),
});
