import { describe, expect, test } from "vitest";
import { analyse } from "@/lib/graph/analyse";
import { publishedGraphSchema, type Graph } from "@/lib/graph/document";
import { collectFindings, NO_FINDINGS } from "@/lib/graph/findings";
import { collectFacts } from "@/lib/graph/facts/facts";
import { agent, CONTEXT, drawn, tool } from "@/lib/graph/testing/graph-builders";
import { listAuthority } from "./authority";
import { listChoices, readSubject, describeSubject } from "./subject";
import { countFlows, listFlowsFor, findFlowThrough, isLookedAt } from "./current-flows";
import { getNextOverlay, OVERLAYS } from "./overlays";

const graph = drawn(
  [
    tool("look", "find", [], ["page"]),
    agent("think", ["page"], ["plan"]),
    tool("post", "post", ["plan"], []),
    tool("act", "update", ["plan"], []),
  ],
  ["look>think", "think>post", "post>act"],
);
const { flows } = analyse(graph, CONTEXT);
const here = listFlowsFor("taint", flows);
const at = (selection: { readonly nodes?: readonly string[]; readonly edges?: readonly string[] }) =>
  findFlowThrough(here, { nodes: [], edges: [], ...selection }, graph.edges)?.sink.node;

test("does not count an invalid document as analysed", () => {
  const seen = (document: Graph) => isLookedAt({ checked: document, findings: collectFindings(document, CONTEXT) });
  expect(seen(graph)).toBe(true);
  expect(seen({ ...graph, name: "" })).toBe(false);
  expect(isLookedAt({ checked: null, findings: NO_FINDINGS })).toBe(false);
});

test("sorts flows by severity, for each overlay", () => {
  expect(here.map(({ sink, verdict }) => [sink.node, verdict])).toEqual([
    ["act", "open"],
    ["post", "held"],
  ]);
  expect(countFlows(here)).toEqual({ open: 1, noted: 0, held: 1 });
  expect(listFlowsFor("secrets", flows)).toEqual([]);
  expect(listFlowsFor("authority", flows)).toEqual([]);
});

describe("a selection", () => {
  test("selects the flow that ends at a node, or else passes it", () => {
    expect([at({ nodes: ["post"] }), at({ nodes: ["act"] }), at({ nodes: ["look"] })]).toEqual(["post", "act", "act"]);
    expect(at({})).toBeUndefined();
  });

  test("an edge shows the flow into its target", () => {
    expect([at({ edges: ["e1"] }), at({ edges: ["e2"] })]).toEqual(["post", "act"]);
  });
});

test("includes subgraphs in authority and in the blast radius choices", () => {
  const published = publishedGraphSchema.parse({
    graph: { ...drawn([agent("inside", ["note"], ["answer"], "doer"), tool("post", "post", ["note"], [])], ["inside>post"]), id: "child" },
    agents: CONTEXT.agents,
    tools: CONTEXT.tools,
  });
  const context = { ...CONTEXT, versions: [{ version: "c".repeat(64), published }] };
  const inner = { id: "inner", kind: "subgraph" as const, config: { graph_id: "child", inputs: {}, outputs: {} } };
  const outer = drawn([inner], []);
  expect(listChoices(outer, context, (id) => id).map(({ label }) => label)).toEqual([
    "Person who starts the run",
    "Agent Doer",
    "Server desk",
    "Node inner",
  ]);
  expect(listAuthority(collectFacts(outer, context))).toMatchObject([
    { tools: ["desk__find", "desk__update", "desk__post"], standing: "outward" },
  ]);
  const telling = { ...published, graph: { ...published.graph, start_node: "post" } };
  const quiet = { ...CONTEXT, versions: [{ version: "c".repeat(64), published: telling }] };
  expect(listAuthority(collectFacts(outer, quiet))).toMatchObject([{ tools: ["desk__post"], standing: "outward" }]);
});

test("cycles through the overlays and back to none", () => {
  expect([...OVERLAYS, null].map((_, index, all) => getNextOverlay(all[index - 1] ?? null))).toEqual([
    OVERLAYS[0],
    ...OVERLAYS.slice(1),
    null,
  ]);
});

test("round-trips every blast radius choice through the URL", () => {
  const choices = listChoices(graph, CONTEXT, (id) => id);
  expect(choices.map(({ label }) => label)).toEqual([
    "Person who starts the run",
    "Agent Writer",
    "Server desk",
    "Node look",
    "Node think",
    "Node post",
    "Node act",
  ]);
  for (const { value } of choices) {
    const subject = readSubject(value);
    expect(subject && describeSubject(subject)).toBe(value);
  }
  for (const text of ["", "node:", "constructor:x", "unknown"]) expect(readSubject(text)).toBeNull();
});
