import { describe, expect, test } from "vitest";
import { graphSchema } from "@/lib/graph/document";
import { applyEdit, type EditOperation } from "@/lib/graph/edit";
import { createEdge } from "@/lib/graph/edit-nodes";
import { describeChange } from "./announcement";

const router = (id: string) => ({ id, kind: "router" as const, config: {} });
const graph = graphSchema.parse({
  format: "countersign/graph/v1",
  id: "line",
  name: "Line",
  nodes: [{ ...router("a"), title: "Ask" }, router("b"), router("c")],
  edges: [
    { id: "ab", source: "a", target: "b" },
    { id: "ac", source: "a", target: "c" },
  ],
  start_node: "a",
  end_nodes: [],
});
const after = (...edits: readonly EditOperation[]) => describeChange(graph, edits.reduce(applyEdit, graph));

describe("the announcement of a change", () => {
  test("announces added and removed end nodes", () => {
    expect(after({ op: "settings", settings: { end_nodes: ["a"] } })).toBe("The run can end at Ask.");
    const ended = { ...graph, end_nodes: ["a", "b"] };
    expect(describeChange(ended, { ...ended, end_nodes: ["b"] })).toBe("The run no longer ends at Ask.");
    expect(describeChange(ended, { ...ended, end_nodes: ["b", "a"] })).toBe(null);
  });

  test("does not take a replaced node for a rename", () => {
    const [, ...others] = graph.nodes;
    const other = graphSchema.shape.nodes.element.parse({ ...router("d"), title: "Other" });
    expect(describeChange(graph, { ...graph, nodes: [other, ...others] })).toContain("Added Router Other. Removed Router Ask.");
  });

  test("names added, removed, connected, moved and renamed items", () => {
    const node = graphSchema.shape.nodes.element.parse(router("d"));

    expect(after({ op: "add_node", node })).toBe("Added Router d.");
    expect(after({ op: "add_edge", edge: createEdge(graph, "b", "c") })).toBe("Added the edge from b to c.");
    expect(after({ op: "remove_edge", edge: "ab" })).toBe("Removed the edge from a to b.");
    expect(after({ op: "remove_node", node: "a", rejoin: false })).toBe("Removed Router Ask.");
    expect(after({ op: "move_nodes", positions: { a: { x: 16, y: 8 } } })).toBe("Ask is at 16, 8.");
    expect(after({ op: "rename_node", node: "b", to: "bill" })).toBe("Renamed b to bill.");
    expect(after({ op: "move_edge", edge: "ac", by: -1 })).toBe("Reordered the edges.");
    expect(after({ op: "settings", settings: { start_node: "b" } })).toBe("The run starts at b.");
  });

  test("counts several items", () => {
    expect(after({ op: "remove_node", node: "a", rejoin: false }, { op: "remove_node", node: "b", rejoin: false })).toBe(
      "Removed 2 nodes.",
    );
    expect(after({ op: "move_nodes", positions: { a: { x: 1, y: 1 }, b: { x: 2, y: 2 } } })).toBe("Moved 2 nodes.");
  });

  test("is null for changes in a form", () => {
    const [node] = graph.nodes;

    expect(after({ op: "settings", settings: { name: "Other" } })).toBeNull();
    expect(node && after({ op: "replace_node", node: { ...node, title: "Asks" } })).toBeNull();
  });
});
