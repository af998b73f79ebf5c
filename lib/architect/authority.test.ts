import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readAuthority } from "@/lib/architect/authority";
import { diffAuthority, widens } from "@/lib/architect/authority-diff";
import { buildDesk, DESK_CONTEXT, withConfig, withKey, withNode } from "@/lib/architect/testing/desk";
import { arbitraryGraph, consistentGraph } from "@/lib/graph/arbitrary";
import type { Graph } from "@/lib/graph/document";
import { buildPublishedGraph } from "@/lib/graph/publish";
import { ZOO, ZOO_CONTEXT } from "@/lib/graph/testing/zoo";
import { graphSchema } from "@/lib/graph/document";

const authority = (graph: Graph, context = DESK_CONTEXT) => readAuthority(buildPublishedGraph(graph, context));
const diff = (before: Graph, after: Graph) => diffAuthority(authority(before), authority(after));

type Change = readonly [name: string, change: (graph: Graph) => Graph, text: RegExp];

const look = { id: "look", kind: "tool", read_keys: [], write_keys: ["done"], config: { server: "shop", tool: "note" } };

const WIDER: readonly Change[] = [
  ["a read grant", withNode("write", { read_keys: ["request", "checked"] }), /“write” may read checked/],
  ["a wildcard", withNode("write", { read_keys: ["*"] }), /“write” may read \*/],
  ["a write grant", withNode("write", { write_keys: ["draft", "done"] }), /“write” may write done/],
  ["another agent", withConfig("write", { agent_id: "clerk" }), /“write” may use the agent clerk/],
  ["an agent's tool", withConfig("write", { agent_id: "clerk" }), /“write” may call shop__refund, irreversible/],
  ["another fixed argument", withConfig("refund", { arguments: { about: { from: "checked" }, amount: { value: 500 } } }), /amount is 500/],
  ["an undo", withNode("refund", { compensation: { server: "shop", tool: "note", arguments: {} } }), /shop__note, write, to undo/],
  [
    "a promotion",
    withConfig("ask", {
      promote: [
        { from: "draft", to: "checked" },
        { from: "request", to: "checked" },
      ],
    }),
    /promote request to checked/,
  ],
  ["more steps", (graph) => ({ ...graph, max_iterations: 21 }), /may use 21 steps instead of 20/],
  ["more time", (graph) => ({ ...graph, max_execution_time_ms: graph.max_execution_time_ms + 1 }), /ms in total/],
  ["more tokens", (graph) => ({ ...graph, max_token_budget: 10_001 }), /10,001 tokens instead of 10,000/],
  ["no token budget", ({ max_token_budget: _none, ...graph }) => graph, /no limit tokens instead of 10,000/],
  ["more attempts", withNode("write", { failure_policy: { attempts: 9 } }), /9 attempts instead of 3/],
  ["a longer attempt", withNode("write", { failure_policy: { timeout_ms: 120_001 } }), /ms per attempt/],
  ["more hand-offs", withConfig("write", { swarm: { peers: ["stop"], max_handoffs: 3 } }), /route the run to stop/],
  ["recalled facts", withConfig("write", { recall: { topics: ["refunds"] } }), /recall facts of earlier runs about refunds/],
  [
    "a launch field",
    (graph) => ({ ...graph, inputs: { type: "object", properties: { request: { type: "string" }, done: {} } } }),
    /be started with done/,
  ],
  ["a larger value", withKey("draft", { max_bytes: 70_000 }), /70,000 bytes instead of 65,536/],
  ["another form of a value", withKey("draft", { schema: {} }), /draft has a different schema/],
  [
    "a step for outside agents",
    withNode("write", { action: { inputs: [{ name: "request", path: "request" }] } }),
    /driven by outside agents at/,
  ],
  ["outside agents", (graph) => graphSchema.parse({ ...graph, external: { read_keys: ["draft"] } }), /show outside agents draft/],
  [
    "a new tool step",
    (graph) =>
      graphSchema.parse({ ...graph, nodes: [...graph.nodes, look], edges: [...graph.edges, { id: "e9", source: "stop", target: "look" }] }),
    /“look” is new: tool/,
  ],
  ["no strict taint", (graph) => ({ ...graph, strict_taint: false }), /no longer waits at untrusted decisions/],
  ["a smaller quorum", withConfig("ask", { quorum: 1 }), /“ask” requires a quorum of 1 instead of 2/],
  ["less to look at", withConfig("ask", { review_keys: [] }), /approved without seeing draft/],
  ["no question of its own", withNode("refund", { approval: "by_rule" }), /“refund” no longer always requires an approval/],
  ["a tamer name for the effect", withNode("refund", { effect: "read" }), /“refund” declares the effect read instead of irreversible/],
  ["no protection", withKey("checked", { protected: false }), /checked is no longer protected/],
  ["a lower integrity", withKey("checked", { min_integrity: "untrusted" }), /checked accepts a minimum integrity of untrusted/],
  ["a lower classification", withKey("draft", { classification: "public" }), /draft is classified public instead of pii/],
  [
    "a way around the gate",
    (graph) => ({ ...graph, edges: [...graph.edges, { id: "e3", source: "write", target: "refund", kind: "error" }] }),
    /“refund” has 1 human decision before it instead of 3/,
  ],
  [
    "a rejection that leads to the rejected effect",
    withConfig("ask", { rejection_node: "refund" }),
    /“refund” has 1 human decision before it instead of 3/,
  ],
  [
    "a condition before the effect",
    (graph) => ({ ...graph, edges: graph.edges.map((edge) => (edge.id === "e2" ? { ...edge, condition: "true" } : edge)) }),
    /“refund” may be reached after ask, when true/,
  ],
];

const ONE_WAY = [
  "another agent",
  "an agent's tool",
  "another fixed argument",
  "another form of a value",
  "a step for outside agents",
  "a condition before the effect",
];

const score = "memory.request == 'small'";

const sorted = (edges: readonly object[], more: readonly object[] = []): Graph => {
  const graph = buildDesk();

  return graphSchema.parse({
    ...graph,
    start_node: "sort",
    nodes: [...graph.nodes, { id: "sort", kind: "router", read_keys: ["request"], config: {} }, ...more],
    edges: [...graph.edges, ...edges],
  });
};
const yes = { id: "s1", source: "sort", target: "write", condition: score };
const no = { id: "s2", source: "sort", target: "stop", kind: "default" };
const never = { id: "s0", source: "sort", target: "stop", condition: "memory.request == ''" };
const judge = (config: object) => ({
  id: "judged",
  kind: "judge",
  config: { review: "looked", from: "draft", to: "done", rules: [], ...config },
});

describe("wider paths to an effect", () => {
  test.each([
    ["a condition that is dropped with what else there was", sorted([yes, no]), sorted([{ ...yes, condition: undefined }])],
    ["a place of decision that is gone", sorted([yes, no]), buildDesk()],
    ["a condition that is asked no more before", sorted([never, yes, no]), sorted([yes, no])],
    ["a condition that is asked later than it was", sorted([never, yes, no]), sorted([yes, never, no])],
    [
      "a way around a place of decision",
      sorted([yes, no, { ...no, id: "s3", kind: "error" }]),
      sorted([yes, no, { ...yes, id: "s3", kind: "error", condition: undefined }]),
    ],
    ["a judge's no that leads on", sorted([yes, no], [judge({})]), sorted([yes, no], [judge({ rejection_node: "write" })])],
  ])("%s", (_name, before, after) => {
    expect(widens(diff(before, after))).toBe(true);
  });

  test("a removed edge or an additional decision is not wider", () => {
    const other = { id: "s4", source: "sort", target: "write", condition: "memory.request == 'large'" };
    expect(diff(sorted([yes, other, no]), sorted([yes, no])).map(({ direction }) => direction)).not.toContain("wider");
    expect(diff(sorted([{ ...never }, yes, no]), sorted([never, yes, no]))).toEqual([]);
  });
});

describe("a wider graph", () => {
  test.each(WIDER)("%s", (_name, change, text) => {
    const changes = diff(buildDesk(), buildDesk(change));
    const wider = changes.filter(({ direction }) => direction === "wider").map((one) => one.text);
    expect(wider.some((one) => text.test(one))).toBe(true);
  });

  test.each(WIDER.filter(([name]) => !ONE_WAY.includes(name)))("and taking it back is not: %s", (_name, change) => {
    expect(diff(buildDesk(change), buildDesk()).filter(({ direction }) => direction === "wider")).toEqual([]);
  });

  test.each(["no strict taint", "a smaller quorum", "less to look at", "no question of its own", "no protection", "a way around the gate"])(
    "%s loosens what protects",
    (name) => {
      const [, change = (graph: Graph) => graph] = WIDER.find(([one]) => one === name) ?? [];
      expect(diff(buildDesk(), buildDesk(change)).some(({ loosens }) => loosens)).toBe(true);
    },
  );

  test("a gate that is dropped with its node is missed at the tool, whatever the new node is called", () => {
    const renamed = buildDesk((graph) =>
      graphSchema.parse({
        ...graph,
        nodes: graph.nodes.flatMap((node) =>
          node.id === "ask" ? [] : node.id === "refund" ? [{ ...node, id: "thank_you", title: "Say thanks" }] : [node],
        ),
        edges: [{ id: "e1", source: "write", target: "thank_you" }],
        end_nodes: ["thank_you"],
      }),
    );
    const texts = diff(buildDesk(), renamed)
      .filter(({ loosens }) => loosens)
      .map(({ text }) => text);
    expect(texts).toContain("shop__refund has 1 human decision before it instead of 3");
  });
});

describe("a graph that is not wider", () => {
  test.each([
    ["the same graph", (graph: Graph) => graph],
    ["a title, a prompt and a place", withNode("write", { title: "Draft it", position: { x: 40, y: 40 } })],
    ["instructions", withConfig("write", { instructions: "Be brief." })],
    [
      "one more gate",
      (graph: Graph) =>
        graphSchema.parse({
          ...graph,
          nodes: [...graph.nodes, { id: "look_first", kind: "approval", config: { prompt: "Go on?" } }],
          edges: [{ id: "e0", source: "look_first", target: "write" }, ...graph.edges],
          start_node: "look_first",
        }),
    ],
    ["less of everything", (graph: Graph) => ({ ...graph, max_iterations: 5, max_token_budget: 1 })],
  ])("%s", (_name, change) => {
    expect(diff(buildDesk(), buildDesk(change)).filter(({ direction }) => direction === "wider")).toEqual([]);
  });

  test("the order of nodes, memory, and edges of different nodes", () => {
    // Edge order decides the route, so it is authority.
    const turned = (graph: Graph): Graph => ({
      ...graph,
      nodes: graph.nodes.toReversed(),
      edges: [...Map.groupBy(graph.edges, ({ source }) => source).values()].toReversed().flat(),
      memory: graph.memory.toReversed(),
    });
    fc.assert(
      fc.property(consistentGraph, (graph) => {
        const context = { ...ZOO_CONTEXT, versions: [] };
        const single = { ...graph, memory: graph.memory.filter((key, at, all) => all.findIndex((other) => other.key === key.key) === at) };
        expect(diffAuthority(authority(single, context), authority(turned(single), context))).toEqual([]);
      }),
    );
  });
});

test("everything that a first version may do is new, and a graph without any node may do nothing", () => {
  const changes = diffAuthority(null, authority(buildDesk()));
  expect(changes.every(({ direction, loosens }) => direction === "wider" && !loosens)).toBe(true);
  expect(changes.map(({ text }) => text)).toContain("“refund” may call shop__refund, irreversible");
});

test("includes subgraphs under their own name", () => {
  const zoo = graphSchema.parse(ZOO);
  const armed = graphSchema.parse({
    ...zoo,
    nodes: zoo.nodes.map((node) => (node.id === "child" ? { ...node, config: { ...node.config, graph_id: "armed" } } : node)),
  });
  const texts = diffAuthority(authority(zoo, ZOO_CONTEXT), authority(armed, ZOO_CONTEXT)).map(({ text }) => text);
  expect(texts).toContain("In armed: “answer” may call desk__update, write");
});

test("never throws, and no graph is wider than itself", () => {
  fc.assert(
    fc.property(arbitraryGraph, (graph) => {
      const own = authority(graph, ZOO_CONTEXT);
      expect(widens(diffAuthority(own, own))).toBe(false);
    }),
  );
});

test("strips invisible characters from names", () => {
  const changes = diff(buildDesk(), buildDesk(withNode("write", { title: "Dra\u202Eft", read_keys: ["request", "done"] })));
  expect(changes.map(({ text }) => text).join()).not.toContain("\u202E");
});
