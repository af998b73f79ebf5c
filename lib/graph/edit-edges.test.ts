import { expect, test } from "vitest";
import { graphSchema, nodeSchema } from "@/lib/graph/document";
import { applyEdit } from "@/lib/graph/edit";
import { addAfter, insertOnEdge } from "./edit-edges";

const router = (id: string) => nodeSchema.parse({ id, kind: "router", config: {} });
const graph = graphSchema.parse({
  format: "countersign/graph/v1",
  id: "fork",
  name: "Fork",
  nodes: [router("a"), router("b"), router("c")],
  edges: [
    { id: "ab", source: "a", target: "b", condition: "memory.x" },
    { id: "ac", source: "a", target: "c", kind: "default" },
  ],
  start_node: "a",
  end_nodes: ["b", "c"],
});
const ways = (edits: ReturnType<typeof addAfter>) =>
  edits.reduce(applyEdit, graph).edges.map(({ source, target, kind, condition }) => [source, target, kind, condition]);

test("adds the edge to a new node last", () => {
  expect(ways(addAfter(graph, "a", router("d")))).toEqual([
    ["a", "b", "normal", "memory.x"],
    ["a", "c", "default", undefined],
    ["a", "d", "normal", undefined],
  ]);
});

test("inserts a node on an edge, keeping its condition and order", () => {
  const [edge] = graph.edges;

  expect(edge && ways(insertOnEdge(graph, edge, router("d")))).toEqual([
    ["a", "d", "normal", "memory.x"],
    ["a", "c", "default", undefined],
    ["d", "b", "normal", undefined],
  ]);
});
