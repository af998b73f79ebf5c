import { describe, expect, test } from "vitest";
import { graphSchema } from "@/lib/graph/document";
import { listRows, type Reading, type Row } from "./rows";

const graph = graphSchema.parse({
  format: "countersign/graph/v1",
  id: "desk",
  name: "Desk",
  nodes: [
    { id: "write", kind: "router", title: "Write it down", write_keys: ["answer"], config: {} },
    { id: "ask", kind: "approval", config: { prompt: "Shall it?", rejection_node: "apart" } },
    { id: "read", kind: "router", config: {} },
    { id: "apart", kind: "router", config: {} },
    { id: "lost", kind: "router", config: {} },
  ],
  edges: [
    { id: "read-write", source: "read", target: "write", kind: "default" },
    { id: "read-ask", source: "read", target: "ask", condition: "memory.risk > 3" },
    { id: "ask-write", source: "ask", target: "write" },
    { id: "ask-gone", source: "ask", target: "gone" },
  ],
  start_node: "read",
  end_nodes: ["write"],
});

const ALL: Reading = { closed: new Set(), find: "", only: null };
const keys = (rows: readonly Row[]) => rows.map(({ key }) => key);

describe("the outline of a graph", () => {
  test("lists nodes in run order, each followed by its edges in evaluation order", () => {
    expect(keys(listRows(graph, ALL))).toEqual([
      "node:read",
      "edge:read-write",
      "edge:read-ask",
      "node:ask",
      "edge:ask-write",
      "edge:ask-gone",
      "joint:rejection:ask:apart",
      "node:write",
      "node:apart",
      "node:lost",
    ]);
  });

  test("has the position of a row, and start, end and reachability of a node", () => {
    const rows = listRows(graph, ALL);

    expect(rows[0]).toMatchObject({ at: 1, of: 5, isStart: true, isEnd: false, isReachable: true, isOpen: true });
    expect(rows[2]).toMatchObject({ at: 2, of: 2, source: "read", target: "ask", targetName: "ask" });
    expect(rows[5]).toMatchObject({ at: 2, of: 3, targetName: "gone (missing)" });
    expect(rows[7]).toMatchObject({ isEnd: true, isOpen: null });
    expect(rows.at(-1)).toMatchObject({ isReachable: false });
  });

  test("hides the edges of a collapsed node", () => {
    expect(keys(listRows(graph, { ...ALL, closed: new Set(["read", "ask"]) }))).toEqual([
      "node:read",
      "node:ask",
      "node:write",
      "node:apart",
      "node:lost",
    ]);
  });

  test("finds a node by title, kind, written keys and edge conditions", () => {
    const found = (find: string) => keys(listRows(graph, { ...ALL, find })).filter((key) => key.startsWith("node:"));

    expect(found("down")).toEqual(["node:write"]);
    expect(found("APPROVAL")).toEqual(["node:ask"]);
    expect(found("answer")).toEqual(["node:write"]);
    expect(found("memory.risk")).toEqual(["node:read"]);
    expect(found("nothing like it")).toEqual([]);
    expect(keys(listRows(graph, { ...ALL, only: new Set(["lost"]) }))).toEqual(["node:lost"]);
  });
});
