import { describe, expect, test } from "vitest";
import type { PublishedGraph } from "@/lib/graph/document";
import { agent, CONTEXT, drawn, gate, router, tool } from "@/lib/graph/testing/graph-builders";
import { computeGateReach } from "./gate-reach";

type Asked = Parameters<typeof computeGateReach>[1];

const nodes = [
  tool("look", "find", [], ["seen"]),
  agent("plan", ["seen"], ["plan"]),
  gate("ask", { for_node: "act", rejection_node: "stop" }),
  tool("act", "update", ["plan"], ["result"]),
  router("fork", ["result"]),
  gate("again"),
  tool("tell", "post", ["result"], []),
  router("stop"),
];
const WAYS = ["look>plan", "plan>ask", "ask>act", "act>fork", { way: "fork>again", condition: "memory.result == 1" }, "fork>tell"];
const published = (ways = WAYS): PublishedGraph => ({
  graph: drawn(nodes, ways),
  agents: [...CONTEXT.agents],
  tools: [...CONTEXT.tools],
  subgraphs: [],
});
const effectAt = (node: string, name: string): Asked => ({
  node: "ask",
  reason: "approval_node",
  transition: { node, effect: { server: "desk", tool: name } },
});
const reach = (asked: Asked, ways = WAYS) => computeGateReach(published(ways), asked, "untrusted");

describe("the reach of approving a call", () => {
  test("names the call, its answer's target, and the path from the untrusted source", () => {
    expect(reach(effectAt("act", "update"))).toMatchObject({
      call: { server: "desk", tool: "update", effect: "write", outward: false },
      writes: ["result"],
      integrity: "untrusted",
      covered: true,
      flows: [
        {
          source: { type: "tools", node: "look", tools: ["desk__find"] },
          witness: [{ node: "look" }, { path: "seen" }, { node: "plan" }, { path: "plan" }, { node: "act" }],
        },
      ],
      more: 0,
    });
  });

  test("lists what its answer steers, without the call itself", () => {
    expect(reach(effectAt("act", "update"))?.steers.map(({ sink, gated }) => [sink.node, sink.kind, gated])).toEqual([
      ["tell", "call", false],
      ["fork", "route", false],
    ]);
  });

  test("finds the next gate, and whether every path passes it, ignoring rejection paths", () => {
    expect(reach(effectAt("act", "update"))?.next).toEqual({ gates: ["again"], certain: false });
    expect(reach(effectAt("act", "update"), [...WAYS.slice(0, 5), "again>tell"])?.next).toEqual({ gates: ["again"], certain: true });
    expect(reach(effectAt("tell", "post"))?.next).toEqual({ gates: [], certain: false });
    expect(
      reach({ node: "ask", reason: "approval_node", transition: { node: "ask", effect: null } }, ["look>plan", "plan>ask", "ask>act"])
        ?.next,
    ).toEqual({ gates: [], certain: false });
  });

  test("an approval without a node names what lies behind it", () => {
    const flows = reach({ node: "again", reason: "approval_node", transition: { node: "again", effect: null } }, [
      ...WAYS.slice(0, 5),
      "again>tell",
    ])?.flows;

    expect(flows?.map(({ sink }) => sink.node)).toEqual(["tell"]);
  });

  test("does not claim coverage for reads and undos", () => {
    expect(reach(effectAt("look", "find"))).toMatchObject({ covered: false, flows: [] });
    expect(reach({ ...effectAt("act", "update"), reason: "undo" })).toMatchObject({ covered: false, flows: [], steers: [], writes: [] });
  });

  test("knows only pinned tools and the graph's nodes", () => {
    expect(reach(effectAt("act", "unheard_of"))).toMatchObject({ call: null, covered: false });
    expect(reach(effectAt("nowhere", "update"))).toBeNull();
  });
});
