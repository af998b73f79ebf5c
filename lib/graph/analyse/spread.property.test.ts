/** Compares the analysis with a stepwise walker. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { analyse } from "@/lib/graph/analyse";
import type { Sink } from "@/lib/graph/analyse/sinks";
import { consistentGraph } from "@/lib/graph/arbitrary";
import { agentSchema, pinnedToolSchema, type Graph, type GraphNode } from "@/lib/graph/document";
import { postDominatorsOf } from "@/lib/graph/dominators";
import { isAtOrBelow, parsePath } from "@/lib/graph/path";
import { listExpressionKeys } from "@/lib/graph/facts/access";
import { isShownHandles } from "@/lib/graph/facts/acting";
import { collectFacts, listTools, type Facts } from "@/lib/graph/facts/facts";
import { findGatesFor } from "@/lib/graph/facts/gates";
import { listDeclaredTargets } from "@/lib/graph/refs";
import { getToolId } from "@/lib/graph/tool-ref";

const update = pinnedToolSchema.parse({
  server: "customers",
  tool: "update_plan",
  definition_digest: "0".repeat(64),
  description: "",
  input_schema: {},
  effect: "write",
  idempotent: false,
});
const context = {
  agents: [
    agentSchema.parse({ id: "parser", name: "Parser", tools: [{ server: "customers", tool: "update_plan" }] }),
    agentSchema.parse({ id: "writer", name: "Writer" }),
  ],
  tools: [update, { ...update, tool: "find", effect: "read" as const, outward: false }],
  versions: [],
};

const WALKED: readonly GraphNode["kind"][] = [
  "agent",
  "tool",
  "router",
  "transform",
  "approval",
  "supervisor",
  "voting",
  "verifier",
  "extract",
  "review",
  "judge",
];

const share = (a: string, b: string): boolean => {
  if (a === "*" || b === "*") return true;
  const [left, right] = [parsePath(a) ?? [], parsePath(b) ?? []];

  return isAtOrBelow(left, right) || isAtOrBelow(right, left);
};

const SO_FAR = "$run";

type Unseen = { readonly paths: Set<string>; readonly ways: Set<string | null> };

const sinkName = (sink: Sink): string => {
  if (sink.kind === "call") return `${sink.node} calls ${sink.tool}`;

  return sink.kind === "key" ? `${sink.node} writes ${sink.key}` : `${sink.node} decides ${sink.edge ?? ""}`;
};

const visit = (facts: Facts, node: GraphNode, unseen: Unseen): { readonly hits: string[]; readonly said: boolean } => {
  const { reads, writes } = facts.access.get(node.id) ?? { reads: [], writes: [] };
  if (node.kind === "approval" || node.kind === "router" || node.kind === "judge") return { hits: [], said: false };
  const given = node.kind === "tool" || node.kind === "transform" || node.kind === "verifier" ? [...reads, ...node.read_keys] : reads;
  const tools = listTools(facts, node);
  const recalls = node.kind === "agent" && node.config.recall !== undefined;
  const sealed = facts.graph.isolate_untrusted && isShownHandles(node);
  const told =
    unseen.ways.size > 0 || (!sealed && given.some((grant) => [...unseen.paths].some((path) => path !== SO_FAR && share(grant, path))));
  const shaped = told || (recalls && !sealed) || (!sealed && node.kind !== "tool" && tools.length > 0);
  const asks = node.approval === "always";
  // The engine asks about each change of a model.
  const calls =
    shaped && !asks && node.kind === "tool" && findGatesFor(facts, node.id).length === 0
      ? tools.filter((tool) => tool.effect === "write")
      : [];
  const said = shaped || node.kind === "tool";
  const waits = asks && node.kind !== "tool";
  const keys = (writes.includes("*") ? [...facts.keys.keys()] : writes).map((path) => path.split(".")[0] ?? "");
  const guarded = said && !waits ? keys.filter((key) => facts.keys.get(key)?.protected) : [];
  if (said) unseen.paths.add(SO_FAR);
  if (said && !waits) {
    for (const path of writes.includes("*") ? facts.keys.keys() : writes) {
      const declared = facts.keys.get(path.split(".")[0] ?? "");
      if (declared && !declared.protected) unseen.paths.add(path);
    }
  }

  return {
    said,
    hits: [
      ...calls.map((tool) => `${node.id} calls ${getToolId(tool.server, tool.tool)}`),
      ...guarded.map((key) => `${node.id} writes ${key}`),
    ],
  };
};

const leads = (node: GraphNode, unseen: Unseen): boolean => {
  const reads = (paths: readonly string[]) =>
    paths.some((grant) => [...unseen.paths].some((path) => path !== SO_FAR && share(grant, path)));
  if (node.kind === "judge") return reads([node.config.from]);
  const models = node.kind === "review" && node.config.reviewers.some(({ type }) => type === "agent");

  return models && reads([node.config.target, ...(node.config.source === undefined ? [] : [node.config.source])]);
};

const isOpen = (graph: Graph, facts: Facts, at: string): boolean =>
  graph.external !== undefined && (facts.topology.out.get(at) ?? []).filter((edge) => edge.kind === "normal").length > 1;

const walk = (graph: Graph, facts: Facts, choices: readonly number[]): string[] => {
  const { immediatePostDominator } = postDominatorsOf(graph);
  const unseen: Unseen = { paths: new Set(), ways: new Set() };
  const hits: string[] = [];
  let at = graph.start_node;
  for (const choice of choices) {
    unseen.ways.delete(at);
    const node = facts.nodes.get(at);
    if (!node) return hits;
    for (const one of facts.given) if (one.node.id === at && facts.keys.has(one.path[0] ?? "")) unseen.paths.add(one.path.join("."));
    const visited = visit(facts, node, unseen);
    hits.push(...visited.hits);
    if (node.kind === "approval" || (node.kind === "tool" && node.approval === "always")) {
      const own = node.kind === "tool" ? [SO_FAR, ...(facts.access.get(at)?.writes ?? [])] : [];
      unseen.ways.clear();
      for (const path of unseen.paths) if (!own.includes(path)) unseen.paths.delete(path);
    }
    const decisions = (facts.topology.out.get(at) ?? []).filter((edge) => edge.kind === "normal" && edge.condition !== undefined);
    const looked = decisions.filter((edge) =>
      [...listExpressionKeys(edge.condition ?? ""), ...(edge.condition?.includes("run.") ? [SO_FAR] : [])].some((key) =>
        [...unseen.paths].some((path) => path === key || (path !== SO_FAR && share(key, path))),
      ),
    );
    hits.push(...looked.map((edge) => `${node.id} decides ${edge.id}`));
    const chosen = visited.said && (node.kind === "supervisor" || (node.kind === "agent" && node.config.swarm !== undefined));
    if (chosen) hits.push(`${node.id} decides `);
    const next = facts.topology.successors.get(at) ?? [];
    const target = next[choice % Math.max(1, next.length)];
    if (target === undefined) return hits;
    const sentBack = listDeclaredTargets(node).includes(target) && leads(node, unseen);
    const open = isOpen(graph, facts, at) && facts.topology.out.get(at)?.some((edge) => edge.kind === "normal" && edge.target === target);
    if ((looked.length > 0 || chosen || sentBack || open === true) && !graph.strict_taint) unseen.ways.add(immediatePostDominator(at));
    at = target;
  }

  return hits;
};

const walkable = consistentGraph.map((graph) => {
  const nodes = graph.nodes.filter((node) => WALKED.includes(node.kind));
  const ids = new Set(nodes.map((node) => node.id));

  return { ...graph, nodes, edges: graph.edges.filter((edge) => ids.has(edge.source) && ids.has(edge.target)) };
});

test("nothing untrusted and unseen is ever met on a walk that the analysis does not name as an unstopped flow", () => {
  const met = { walks: 0 };
  fc.assert(
    fc.property(walkable, fc.array(fc.nat(5), { maxLength: 30 }), (graph, choices) => {
      const named = new Set(
        analyse(graph, context).flows.flatMap((flow) => (flow.kind === "untrusted" && !flow.stopped ? [sinkName(flow.sink)] : [])),
      );
      const hits = walk(graph, collectFacts(graph, context), choices);
      met.walks += Number(hits.length > 0);
      for (const hit of hits) expect(named).toContain(hit);
    }),
    { numRuns: 1_500 },
  );
  expect(met.walks, "the walks meet something at all").toBeGreaterThan(20);
});

test("every witness can be followed: each node reads the path before it and writes the path after it", () => {
  fc.assert(
    fc.property(consistentGraph, (graph) => {
      const facts = collectFacts(graph, context);
      for (const { witness, sink, gates } of analyse(graph, context).flows) {
        expect(witness.at(-1)).toEqual({ node: sink.node });
        for (const gate of gates) expect(facts.topology.ids).toContain(gate);
        for (const [index, step] of witness.entries()) {
          const before = witness[index - 1];
          const nowhere = "node" in step && !facts.topology.reachable.has(step.node);
          const writes = before && "node" in before ? (facts.access.get(before.node)?.writes ?? []) : [];
          const given = facts.given.map((one) => one.path.join("."));
          const unwritten = "path" in step && step.path !== SO_FAR && ![...writes, ...given].some((grant) => share(grant, step.path));
          expect(nowhere || unwritten).toBe(false);
        }
      }
    }),
    { numRuns: 500 },
  );
});

test("a compromised server reaches at least what its untrusted results reach", () => {
  fc.assert(
    fc.property(consistentGraph, (graph) => {
      const { flows, blastRadius } = analyse(graph, context);
      for (const { source, sink, stopped, kind } of flows) {
        if (source.type !== "tools" || kind !== "untrusted" || stopped) continue;
        const found = blastRadius({ node: source.node }).reachable.find((one) => sinkName(one.sink) === sinkName(sink));
        expect(found).toBeDefined();
      }
    }),
    { numRuns: 300 },
  );
});
