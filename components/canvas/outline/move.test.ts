import { describe, expect, test } from "vitest";
import { graphSchema } from "@/lib/graph/document";
import { moveOf, typedTo } from "./move";
import { rowsOf } from "./rows";

const graph = graphSchema.parse({
  format: "countersign/graph/v1",
  id: "line",
  name: "Line",
  nodes: ["ask", "answer", "bill"].map((id) => ({ id, kind: "router", config: {} })),
  edges: [
    { id: "one", source: "ask", target: "bill" },
    { id: "two", source: "ask", target: "answer" },
  ],
  start_node: "ask",
  end_nodes: [],
});
const ALL = { closed: new Set<string>(), find: "", only: null };
/** ask, its two ways, bill, answer */
const rows = rowsOf(graph, ALL);
const closed = rowsOf(graph, { ...ALL, closed: new Set(["ask"]) });

describe("a key in the outline", () => {
  test("goes from row to row and stays within them", () => {
    expect(moveOf(rows, 0, "ArrowDown")).toEqual({ to: 1 });
    expect(moveOf(rows, 0, "ArrowUp")).toEqual({ to: 0 });
    expect(moveOf(rows, 0, "End")).toEqual({ to: 4 });
    expect(moveOf(rows, 4, "ArrowDown")).toEqual({ to: 4 });
    expect(moveOf(rows, 4, "PageUp")).toEqual({ to: 0 });
  });

  test("goes right into the ways of a node and on to where one leads, and left back", () => {
    expect(moveOf(rows, 0, "ArrowRight")).toEqual({ to: 1 });
    expect(moveOf(rows, 1, "ArrowRight")).toEqual({ to: 3 });
    expect(moveOf(rows, 2, "ArrowLeft")).toEqual({ to: 0 });
    expect(moveOf(rows, 3, "ArrowRight")).toEqual({ to: 3 });
  });

  test("closes and opens what has ways", () => {
    expect(moveOf(rows, 0, "ArrowLeft")).toEqual({ toggle: "ask" });
    expect(moveOf(closed, 0, "ArrowRight")).toEqual({ toggle: "ask" });
    expect(moveOf(closed, 0, "ArrowLeft")).toEqual({ to: 0 });
  });

  test("is nobody's when it is none of these, or when there is no row", () => {
    expect(moveOf(rows, 0, "x")).toBeNull();
    expect(moveOf([], 0, "ArrowDown")).toBeNull();
  });
});

describe("letters typed in the outline", () => {
  test("lead to the next node that begins with them, round the end", () => {
    expect(typedTo(rows, 0, "a")).toBe(4);
    expect(typedTo(rows, 4, "a")).toBe(0);
    expect(typedTo(rows, 0, "as")).toBe(0);
    expect(typedTo(rows, 0, "aa")).toBe(4);
    expect(typedTo(rows, 0, "B")).toBe(3);
    expect(typedTo(rows, 2, "zzz")).toBe(2);
  });
});
