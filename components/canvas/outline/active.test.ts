import { expect, test } from "vitest";
import { drawn, gate, router } from "@/lib/graph/testing/graph-builders";
import { findActive, isOutOfSight } from "./active";
import { skipJoints } from "./move";
import { listRows } from "./rows";

const graph = drawn([router("a"), router("b")], ["a>b"]);
const rows = listRows(graph, { closed: new Set(), find: "", only: null });
const at = (nodes: readonly string[], edges: readonly string[], key: string | null, index = 0) =>
  rows[findActive(rows, { nodes, edges }, { key, index })]?.key;

test("makes the selected row active", () => {
  expect(at(["b"], [], "node:a")).toBe("node:b");
  expect(at([], ["e0"], "node:a")).toBe("edge:e0");
});

test("keeps the last active edge active when a node is selected too", () => {
  expect(at(["a"], ["e0"], "edge:e0")).toBe("edge:e0");
  expect(at(["a", "b"], ["e0"], "node:a")).toBe("node:a");
});

test("without a selection it stays where it was, or where that has been", () => {
  expect(at([], [], "node:b")).toBe("node:b");
  expect(at([], [], "node:gone", 9)).toBe("node:b");
});

test("skips rows that can't be selected", () => {
  const joints = listRows(drawn([gate("ask", { rejection_node: "no" }), router("no")], []), { closed: new Set(), find: "", only: null });
  expect(joints.map(({ type }) => type)).toEqual(["node", "joint", "node"]);
  expect([skipJoints(joints, 0, 1), skipJoints(joints, 2, 1), skipJoints(joints, 0, 2)]).toEqual([2, 0, 2]);
});

test("detects a selection without a visible row", () => {
  const found = listRows(graph, { closed: new Set(), find: "b", only: null });
  const selected = (nodes: readonly string[], edges: readonly string[] = []) => isOutOfSight(found, { nodes, edges });
  expect(found.map(({ key }) => key)).toEqual(["node:b"]);
  expect([selected(["a"]), selected([], ["e0"])]).toEqual([true, true]);
  expect([selected(["a", "b"]), selected([])]).toEqual([false, false]);
});
