import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { consistentGraph } from "@/lib/graph/arbitrary";
import { graphSchema } from "@/lib/graph/document";
import { findInGraph } from "@/lib/graph/find";

const graph = graphSchema.parse({
  format: "countersign/graph/v1",
  id: "g",
  name: "G",
  memory: [{ key: "refund", schema: {}, description: "The amount paid back" }],
  nodes: [
    {
      id: "plan",
      title: "Plan the change",
      kind: "agent",
      read_keys: ["customer.plan"],
      config: { agent_id: "writer", instructions: `Never answer ${"a very long prompt ".repeat(9)}without a SOURCE for it` },
    },
    { id: "pay", kind: "tool", config: { server: "shop", tool: "pay_out" } },
  ],
  edges: [{ id: "plan-pay", source: "plan", target: "pay", condition: "memory.refund > 3" }],
  start_node: "plan",
  end_nodes: ["pay"],
});

describe("finding in a graph", () => {
  test.each([
    ["the change", [["node", "plan", "title"]]],
    ["tool", [["node", "pay", "kind"]]],
    ["pay_out", [["node", "pay", "tool"]]],
    ["source", [["node", "plan", "instructions"]]],
    ["customer.plan", [["node", "plan", "reads"]]],
    [
      "refund",
      [
        ["edge", "plan-pay", "condition"],
        ["key", "refund", "memory"],
      ],
    ],
    ["paid back", [["key", "refund", "description"]]],
    ["nowhere", []],
    ["  ", []],
  ])("%s is found where it stands, whatever the case", (text, found) => {
    expect(findInGraph(graph, text).map(({ type, id, where }) => [type, id, where])).toEqual(found);
  });

  test("shows the text around it", () => {
    expect(findInGraph(graph, "source")[0]?.excerpt).toBe("…y long prompt without a SOURCE for it");
  });

  test("finds every node by its id, whatever the graph", () => {
    fc.assert(
      fc.property(consistentGraph, (any) => {
        const missed = any.nodes.filter(({ id }) => !findInGraph(any, id).some((hit) => hit.type === "node" && hit.id === id));
        expect(missed).toEqual([]);
      }),
    );
  });
});
