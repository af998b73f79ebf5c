import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arbitraryEdit, consistentGraph } from "@/lib/graph/arbitrary";
import { graphSchema, nodeSchema } from "@/lib/graph/document";
import { applyEdit, type EditOperation } from "@/lib/graph/edit";
import { generateId } from "@/lib/graph/edit-nodes";

const router = (id: string) => nodeSchema.parse({ id, kind: "router", config: {} });
const graph = graphSchema.parse({
  format: "countersign/graph/v1",
  id: "line",
  name: "Line",
  nodes: [router("a"), router("b"), router("c")],
  edges: [
    { id: "ab", source: "a", target: "b", condition: "true" },
    { id: "bc", source: "b", target: "c" },
  ],
  start_node: "a",
  end_nodes: ["c"],
});

describe("applyEdit", () => {
  test("moving nodes to where they stand changes nothing, so there is no step to undo", () => {
    expect(applyEdit(graph, { op: "move_nodes", positions: { a: { x: 0.2, y: 0 } } })).toBe(graph);
    expect(applyEdit(graph, { op: "move_nodes", positions: { nobody: { x: 9, y: 9 } } })).toBe(graph);
  });

  test("rejoining never follows error edges", () => {
    const failing = {
      ...graph,
      edges: [{ id: "be", source: "b", target: "a", kind: "error" as const }, ...graph.edges],
    };
    const after = applyEdit(failing, { op: "remove_node", node: "b", rejoin: true });
    expect(after.edges).toEqual([{ id: "ab", source: "a", target: "c", kind: "normal", condition: "true" }]);
  });

  test("never changes the document it is given, so that undo is keeping it", () => {
    fc.assert(
      fc.property(consistentGraph, fc.array(arbitraryEdit, { maxLength: 8 }), (start, edits) => {
        const before = JSON.stringify(start);
        edits.reduce(applyEdit, start);
        expect(JSON.stringify(start)).toBe(before);
      }),
    );
  });

  test("keeps a document that the schema accepts acceptable", () => {
    fc.assert(
      fc.property(consistentGraph, arbitraryEdit, (start, edit) => {
        expect(graphSchema.safeParse(applyEdit(start, edit)).success).toBe(true);
      }),
    );
  });

  test("never leaves an edge behind when a node goes", () => {
    fc.assert(
      fc.property(consistentGraph, fc.boolean(), (start, rejoin) => {
        const [first] = start.nodes;
        fc.pre(first !== undefined);
        const after = applyEdit(start, { op: "remove_node", node: first.id, rejoin });
        expect(after.edges.some((edge) => edge.source === first.id || edge.target === first.id)).toBe(false);
        expect(new Set(after.edges.map((edge) => edge.id)).size).toBe(after.edges.length);
      }),
    );
  });

  test("renames a node wherever it is named, and there and back is the same document", () => {
    fc.assert(
      fc.property(consistentGraph, (start) => {
        const [first] = start.nodes;
        fc.pre(first !== undefined);
        const there = applyEdit(start, { op: "rename_node", node: first.id, to: "renamed" });
        expect(there).not.toEqual(start);
        expect(applyEdit(there, { op: "rename_node", node: "renamed", to: first.id })).toEqual(start);
      }),
    );
  });

  test("joins what led to a removed node with what came after, condition included", () => {
    const after = applyEdit(graph, { op: "remove_node", node: "b", rejoin: true });
    expect(after.edges).toEqual([{ id: "ab", source: "a", target: "c", kind: "normal", condition: "true" }]);
  });

  test("inserts a gate on every path to a node, also at the start", () => {
    const after = applyEdit(graph, { op: "insert_before", before: "a", node: router("gate") });
    expect(after.start_node).toBe("gate");
    expect(
      applyEdit(graph, { op: "insert_before", before: "c", node: router("gate") }).edges.map((edge) => [edge.source, edge.target]),
    ).toEqual([
      ["a", "b"],
      ["b", "gate"],
      ["gate", "c"],
    ]);
  });

  test("moves an edge only among the edges of its own source", () => {
    const twoWays = applyEdit(graph, { op: "add_edge", edge: { id: "ac", source: "a", target: "c", kind: "normal" } });
    const order = (edits: readonly EditOperation[]) => edits.reduce(applyEdit, twoWays).edges.map((edge) => edge.id);
    expect(order([{ op: "move_edge", edge: "ac", by: -1 }])).toEqual(["ac", "bc", "ab"]);
    expect(order([{ op: "move_edge", edge: "bc", by: -1 }])).toEqual(["ab", "bc", "ac"]);
    expect(order([{ op: "move_edge", edge: "ab", by: -1 }])).toEqual(["ab", "bc", "ac"]);
  });

  test("refuses a second node, edge or key of the same name", () => {
    expect(applyEdit(graph, { op: "add_node", node: router("a") })).toBe(graph);
    expect(applyEdit(graph, { op: "rename_node", node: "a", to: "b" })).toBe(graph);
    expect(applyEdit(graph, { op: "add_edge", edge: { id: "ab", source: "a", target: "c", kind: "normal" } })).toBe(graph);
    expect(applyEdit(graph, { op: "add_edge", edge: { id: "ax", source: "a", target: "x", kind: "normal" } })).toBe(graph);
  });

  test("the first node of an empty graph is where it starts", () => {
    const empty = { ...graph, nodes: [], edges: [], end_nodes: [], start_node: "start" };
    expect(applyEdit(empty, { op: "add_node", node: router("first") }).start_node).toBe("first");
  });
});

test("a fresh id is never one that is taken", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.constantFrom("n", "n_2", "n_3", "n_4")), (taken) => {
      expect(taken).not.toContain(generateId("n", new Set(taken)));
    }),
  );
});
