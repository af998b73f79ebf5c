import { describe, expect, test } from "vitest";
import { graphSchema } from "@/lib/graph/document";
import { moveOf, findTyped } from "./move";
import { listRows } from "./rows";

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
/** Rows: ask, its two edges, bill, answer. */
const rows = listRows(graph, ALL);
const closed = listRows(graph, { ...ALL, closed: new Set(["ask"]) });

describe("a key in the outline", () => {
  test("moves between rows within bounds", () => {
    expect(moveOf(rows, 0, "ArrowDown")).toEqual({ to: 1 });
    expect(moveOf(rows, 0, "ArrowUp")).toEqual({ to: 0 });
    expect(moveOf(rows, 0, "End")).toEqual({ to: 4 });
    expect(moveOf(rows, 4, "ArrowDown")).toEqual({ to: 4 });
    expect(moveOf(rows, 4, "PageUp")).toEqual({ to: 0 });
  });

  test("moves right into the edges of a node and to their targets, and left back", () => {
    expect(moveOf(rows, 0, "ArrowRight")).toEqual({ to: 1 });
    expect(moveOf(rows, 1, "ArrowRight")).toEqual({ to: 3 });
    expect(moveOf(rows, 2, "ArrowLeft")).toEqual({ to: 0 });
    expect(moveOf(rows, 3, "ArrowRight")).toEqual({ to: 3 });
  });

  test("expands and collapses nodes with edges", () => {
    expect(moveOf(rows, 0, "ArrowLeft")).toEqual({ toggle: "ask" });
    expect(moveOf(closed, 0, "ArrowRight")).toEqual({ toggle: "ask" });
    expect(moveOf(closed, 0, "ArrowLeft")).toEqual({ to: 0 });
  });

  test("ignores other keys, and an empty outline", () => {
    expect(moveOf(rows, 0, "x")).toBeNull();
    expect(moveOf([], 0, "ArrowDown")).toBeNull();
  });
});

describe("letters typed in the outline", () => {
  test("lead to the next node that begins with them, round the end", () => {
    expect(findTyped(rows, 0, "a")).toBe(4);
    expect(findTyped(rows, 4, "a")).toBe(0);
    expect(findTyped(rows, 0, "as")).toBe(0);
    expect(findTyped(rows, 0, "aa")).toBe(4);
    expect(findTyped(rows, 0, "B")).toBe(3);
    expect(findTyped(rows, 2, "zzz")).toBe(2);
  });
});
