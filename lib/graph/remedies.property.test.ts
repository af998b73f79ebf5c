import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { analyse, flowsIn } from "@/lib/graph/analyse";
import type { Flow } from "@/lib/graph/analyse/flows";
import { getSinkId } from "@/lib/graph/analyse/sinks";
import { consistentGraph } from "@/lib/graph/arbitrary";
import { agentSchema, graphSchema, pinnedToolSchema, type Graph } from "@/lib/graph/document";
import { applyEdit } from "@/lib/graph/edit";
import { collectFacts, type ValidationContext } from "@/lib/graph/facts/facts";
import { askFix } from "@/lib/graph/problems/flow-fixes";
import { agent, CONTEXT, drawn, gate, tool } from "@/lib/graph/testing/graph-builders";
import { validateGraph } from "@/lib/graph/validate";
import { collectErrors, findRemedies } from "./remedies";

const update = pinnedToolSchema.parse({
  server: "customers",
  tool: "update_plan",
  definition_digest: "0".repeat(64),
  description: "",
  input_schema: {},
  effect: "write",
  idempotent: false,
});
const context: ValidationContext = {
  agents: [
    agentSchema.parse({ id: "parser", name: "Parser", tools: [{ server: "customers", tool: "update_plan" }] }),
    agentSchema.parse({ id: "writer", name: "Writer" }),
  ],
  tools: [update, { ...update, tool: "find", effect: "read", clearance: "public" }],
  versions: [],
};

const rooted: fc.Arbitrary<Graph> = consistentGraph
  .filter(({ nodes }) => nodes.length > 1)
  .map((graph) => {
    const { nodes, edges } = graph;
    const line = nodes
      .slice(1)
      .map(({ id }, index) => ({ id: `l${index}`, source: nodes[index]?.id ?? "", target: id, kind: "normal" as const }));

    return { ...graph, edges: [...edges, ...line], start_node: nodes[0]?.id ?? "" };
  });

const errorsOf = (graph: Graph): readonly string[] => [...collectErrors(collectFacts(graph, context))];

const openAt = (graph: Graph, known: ValidationContext, { kind, sink }: Flow): readonly Flow[] =>
  analyse(graph, known).flows.filter((flow) => flow.kind === kind && flow.verdict === "open" && getSinkId(flow.sink) === getSinkId(sink));

test("inserting the gate that is offered takes the flow away, and brings no error that was not there", () => {
  const met = { calls: 0, keys: 0 };
  fc.assert(
    fc.property(rooted, (graph) => {
      const facts = collectFacts(graph, context);
      const before = new Set(errorsOf(graph));
      for (const flow of flowsIn(facts).flows) {
        const fix = flow.verdict === "open" ? askFix(facts, flow) : undefined;
        if (!fix) continue;
        const fixed = fix.edits.reduce(applyEdit, graph);
        met.calls += Number(flow.sink.kind === "call");
        met.keys += Number(flow.sink.kind === "key");
        expect(graphSchema.parse(fixed)).toEqual(fixed);
        expect(openAt(fixed, context, flow)).toEqual([]);
        expect(errorsOf(fixed).filter((error) => !before.has(error))).toEqual([]);
      }
    }),
    { numRuns: 800 },
  );
  // The engine asks about agents' changes, so only tool nodes have open ones.
  expect(met.calls, "open calls occur").toBeGreaterThan(0);
  expect(met.keys, "open keys occur").toBeGreaterThan(5);
});

test("every untrusted flow to a call that is open has a gate to be inserted", () => {
  fc.assert(
    fc.property(rooted, (graph) => {
      const facts = collectFacts(graph, context);
      const bare = flowsIn(facts).flows.filter(
        (flow) => flow.kind === "untrusted" && flow.sink.kind === "call" && flow.verdict === "open" && !askFix(facts, flow),
      );
      expect(bare).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

test("open flows on the canvas are exactly the errors in the list", () => {
  fc.assert(
    fc.property(rooted, (graph) => {
      const facts = collectFacts(graph, context);
      const problems = validateGraph(graph, context);
      const open = new Set(flowsIn(facts).flows.flatMap((flow) => (flow.verdict === "open" ? [flow.sink.node] : [])));
      const said = new Set(problems.flatMap((found) => (found.severity === "error" ? [found.node] : [])));
      for (const node of open) expect(said).toContain(node);
      const shown = problems.filter(({ witness, severity }) => witness !== undefined && severity === "error");
      for (const { node } of shown) expect(open).toContain(node);
    }),
    { numRuns: 300 },
  );
});

test("every offered fix removes the flow and adds no error", () => {
  const met = new Set<string>();
  fc.assert(
    fc.property(rooted, (graph) => {
      const before = new Set(errorsOf(graph));
      for (const flow of analyse(graph, context)
        .flows.filter(({ verdict }) => verdict === "open")
        .slice(0, 3)) {
        for (const fix of findRemedies(graph, context, flow)) {
          const fixed = fix.edits.reduce(applyEdit, graph);
          met.add(fix.title.split(" ")[0] ?? "");
          expect(openAt(fixed, context, flow)).toEqual([]);
          expect(errorsOf(fixed).filter((error) => !before.has(error))).toEqual([]);
        }
      }
    }),
    { numRuns: 200 },
  );
  expect([...met].toSorted()).toEqual(expect.arrayContaining(["Insert", "Remove", "Stop"]));
});

describe("in a graph that was drawn with care", () => {
  const nodes = [tool("look", "find", [], ["page"]), agent("think", ["page"], ["plan"]), tool("act", "update", ["plan"], [])];
  const graph = drawn(
    nodes.map((node, index) => ({ ...node, position: { x: index * 280, y: 0 } })),
    ["look>think", "think>act"],
  );
  const [flow] = analyse(graph, CONTEXT).flows;

  test("one flow offers a gate, a narrower grant nowhere, and to remove the step", () => {
    expect(flow && findRemedies(graph, CONTEXT, flow).map((fix) => fix.title)).toEqual(["Insert a gate", "Remove act"]);
  });

  test("places the gate before its node without overlap", () => {
    const fix = flow && findRemedies(graph, CONTEXT, flow)[0];
    const fixed = fix?.edits.reduce(applyEdit, graph) ?? graph;
    expect(fixed.nodes.map(({ id, position }) => [id, position])).toEqual([
      ["look", { x: 0, y: 0 }],
      ["think", { x: 280, y: 0 }],
      ["act", { x: 840, y: 0 }],
      ["approve_act", { x: 560, y: 0 }],
    ]);
    expect(fixed.edges.map(({ source, target }) => `${source}>${target}`)).toEqual(["look>think", "think>approve_act", "approve_act>act"]);
    expect(fixed.nodes.at(-1)).toMatchObject({ kind: "approval", config: { for_node: "act" } });
  });

  test("an agent that does not need a secret can stop reading it", () => {
    const secret = drawn([agent("think", ["pin", "mail"], ["plan"]), tool("act", "post", ["plan"], [])], ["think>act"], {
      memory: [{ key: "pin", schema: {}, classification: "secret" }],
      inputs: { properties: { pin: {}, mail: {} } },
    });
    const [leak] = analyse(secret, CONTEXT).flows.filter(({ kind }) => kind === "confidential");
    expect(leak && findRemedies(secret, CONTEXT, leak).map((fix) => fix.title)).toEqual(["Remove act"]);
    const own = drawn([agent("think", ["pin", "mail"], ["plan"], "finder"), gate("ask")], ["think>ask"], {
      memory: [{ key: "pin", schema: {}, classification: "secret" }],
      inputs: { properties: { pin: {}, mail: {} } },
    });
    const [told] = analyse(own, CONTEXT).flows.filter(({ kind }) => kind === "confidential");
    expect(told && findRemedies(own, CONTEXT, told).map((fix) => fix.title)).toEqual(["Stop reading pin"]);
  });
});
