import { describe, expect, test } from "vitest";
import { recordsOf } from "@/lib/engine/testing/entries";
import { publishWith } from "@/lib/engine/testing/graph";
import { atGate } from "@/lib/engine/testing/run";
import { agent, drawn, gate, router } from "@/lib/graph/testing/graph-builders";
import { buildApprovalMap, listVisits } from "./approval-map";

describe("the approval map", () => {
  test("has every node and edge, declared ones included, and the taken route", () => {
    const run = atGate();
    const { graph } = run.published;
    const waiting = run.state().currentNode ?? "";
    const map = buildApprovalMap(graph, recordsOf(run), waiting);

    expect(map.nodes.map(({ id }) => id)).toEqual(graph.nodes.map(({ id }) => id));
    expect(map.visits[0]?.node).toBe(graph.start_node);
    expect(map.visits.at(-1)?.node).toBe(waiting);
    expect(map.leftOut).toBe(0);
    const stop = gate("ask", { for_node: "act", rejection_node: "stop" });
    const small = buildApprovalMap(drawn([stop, router("act"), router("stop")], ["ask>act"]), [], "ask");
    expect(small.edges).toEqual(
      expect.arrayContaining([
        { source: "ask", target: "act" },
        { source: "ask", target: "stop" },
      ]),
    );
  });

  test("of a large graph keeps the gate, the route and the nearest nodes", () => {
    const ids = Array.from({ length: 500 }, (_, index) => `n${index}`);
    const nodes = ids.map((id) => agent(id, [], []));
    const graph = drawn(
      nodes,
      ids.slice(1).map((id, index) => `n${index}>${id}`),
    );
    const map = buildApprovalMap(graph, [], "n300");

    expect(map.nodes).toHaveLength(200);
    expect(map.leftOut).toBe(300);
    expect(map.nodes.map(({ id }) => id)).toEqual(expect.arrayContaining(["n300", "n201", "n399"]));
    const kept = new Set(map.nodes.map(({ id }) => id));
    expect(map.edges.every(({ source, target }) => kept.has(source) && kept.has(target))).toBe(true);
  });

  test("shows a subgraph's route only while the run is in it", () => {
    const [record] = recordsOf(atGate(publishWith()));
    if (!record) throw new Error("no record");
    const entered = (node: string) => ({ type: "node_entered", node }) as (typeof record.control)[number];
    const frame = (type: "frame_entered" | "frame_left") => ({ type }) as (typeof record.control)[number];
    const at = (seq: number, ...control: (typeof record.control)[number][]) => ({ ...record, seq, control });
    const inside = [at(0, entered("a")), at(1, entered("sub"), frame("frame_entered")), at(2, entered("x"))];

    expect(listVisits(inside)).toEqual([{ node: "x", seq: 2 }]);
    expect(listVisits([...inside, at(3, frame("frame_left"), entered("b"))]).map(({ node }) => node)).toEqual(["a", "sub", "b"]);
  });
});
