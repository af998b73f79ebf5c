import { describe, expect, test } from "vitest";
import { analyse } from "@/lib/graph/analyse";
import type { Graph } from "@/lib/graph/document";
import { buildTopology } from "@/lib/graph/topology";
import { agent, CONTEXT, drawn, gate, router, tool } from "@/lib/graph/testing/graph-builders";
import { listMoves, listPlaces } from "./drawn-route";

const drawnMoves = (graph: Graph, node: string): readonly string[] => {
  const flow = analyse(graph, CONTEXT).flows.find(({ sink }) => sink.node === node);

  return flow ? listMoves(graph, buildTopology(graph), flow).map(({ from, to, step }) => `${from}>${to} ${step}`) : [];
};

describe("the edges of a flow on the canvas", () => {
  test("include the nodes that only pass data on", () => {
    const graph = drawn(
      [tool("look", "find", [], ["page"]), router("on"), agent("think", ["page"], ["plan"]), tool("act", "update", ["plan"], [])],
      ["look>on", "on>think", "think>act"],
    );
    expect(drawnMoves(graph, "act")).toEqual(["look>on 2", "on>think 2", "think>act 4"]);
  });

  test("avoid gates that are not on its path", () => {
    const graph = drawn(
      [tool("look", "find", [], ["page"]), gate("ask"), router("far"), router("farther"), tool("act", "update", ["page"], [])],
      ["look>ask", "ask>act", "look>far", "far>farther", "farther>act"],
    );
    expect(drawnMoves(graph, "act")).toEqual(["look>far 2", "far>farther 2", "farther>act 2"]);
  });

  test("return from a worker to its map", () => {
    const look = tool("look", "find", [], []);
    const each = { id: "each", kind: "map" as const, write_keys: ["found"], config: { worker_node: "look", items: { value: [1] } } };
    const graph = drawn([each, look, tool("act", "update", ["found"], [])], ["each>act"], { end_nodes: ["act"] });
    expect(drawnMoves(graph, "act")).toEqual(["each>look 1", "each>act 3"]);
  });

  test("nodes of a witness keep the number of their step", () => {
    expect(listPlaces([{ node: "a" }, { path: "p" }, { node: "b" }])).toEqual([
      { node: "a", step: 0 },
      { node: "b", step: 2 },
    ]);
  });
});
