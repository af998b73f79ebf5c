import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { consistentGraph } from "@/lib/graph/arbitrary";
import { graphSchema, type Graph } from "@/lib/graph/document";
import { runOrder } from "./run-order";

const drawn = (ids: string, ways: readonly string[], start = "a"): Graph =>
  graphSchema.parse({
    format: "countersign/graph/v1",
    id: "g",
    name: "G",
    nodes: ids.split("").map((id) => ({ id, kind: "router", config: {} })),
    edges: ways.map(([source = "", target = ""]) => ({ id: `${source}-${target}`, source, target })),
    start_node: start,
    end_nodes: [],
  });

const order = (graph: Graph): string =>
  runOrder(graph)
    .nodes.map((node) => node.id)
    .join("");

describe("the order in which a graph is read", () => {
  test("begins at the start, and follows the first edge before the second", () => {
    expect(order(drawn("dcba", ["ab", "ac", "bd", "cd"]))).toBe("abcd");
    expect(order(drawn("dcba", ["ac", "ab", "bd", "cd"]))).toBe("acbd");
  });

  test("puts a node after all its predecessors", () => {
    expect(order(drawn("abcd", ["ad", "ab", "bc", "cd"]))).toBe("abcd");
  });

  test("follows a loop once", () => {
    expect(order(drawn("abcd", ["ab", "bc", "cb", "cd"]))).toBe("abcd");
  });

  test("ends with unreachable nodes", () => {
    const graph = drawn("zyabx", ["ab", "xy", "yz"]);

    expect(order(graph)).toBe("abxyz");
    expect([...runOrder(graph).reachable]).toEqual(["a", "b"]);
  });

  test("has every node, also when there is no start, and when the graph is 10,000 nodes deep", () => {
    expect(order(drawn("ab", ["ab"], "gone"))).toBe("ab");
    const ids = Array.from({ length: 10_000 }, (_, index) => `n${index}`);
    const deep = { ...drawn("a", []), start_node: "n0", nodes: ids.map((id) => ({ ...drawn("a", []).nodes[0], id })) } as Graph;
    const edges = ids.slice(1).map((id, index) => ({ id: `e${index}`, source: `n${index}`, target: id, kind: "normal" as const }));

    expect(runOrder({ ...deep, edges }).nodes.map((node) => node.id)).toEqual(ids);
  });

  test("holds each node of any graph exactly once", () => {
    fc.assert(
      fc.property(consistentGraph, (graph) => {
        expect(runOrder(graph).nodes.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
          graph.nodes.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
        );
      }),
    );
  });
});
