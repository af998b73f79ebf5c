import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ARCHITECT_LIMITS } from "@/lib/architect/forbidden";
import { judgeAnswer, judgeGraph } from "@/lib/architect/judge-answer";
import { buildDesk, DESK_CONTEXT, withConfig, withKey, withNode } from "@/lib/architect/testing/desk";
import { arbitraryEdit } from "@/lib/graph/arbitrary";
import { graphSchema, type Graph } from "@/lib/graph/document";
import { applyEdit } from "@/lib/graph/edit";
import { readAuthority } from "@/lib/architect/authority";
import { diffAuthority } from "@/lib/architect/authority-diff";
import { buildPublishedGraph } from "@/lib/graph/publish";

const codes = (document: unknown, before: Graph | null = null): string[] => {
  const judged = judgeGraph(document, before, DESK_CONTEXT);

  return judged.ok ? [] : judged.problems.map(({ code }) => code);
};

type Change = (graph: Graph) => Graph;
type Refused = readonly [name: string, code: string, change: Change];
type Loosened = { readonly name: string; readonly change: Change; readonly start?: Change };

const withoutGate = (graph: Graph): Graph =>
  graphSchema.parse({
    ...withNode("refund", { approval: "by_rule" })(graph),
    nodes: withNode("refund", { approval: "by_rule" })(graph).nodes.filter(({ id }) => id !== "ask" && id !== "stop"),
    edges: [{ id: "e1", source: "write", target: "refund" }],
    end_nodes: ["refund"],
  });

const around =
  (edge: object) =>
  (graph: Graph): Graph =>
    graphSchema.parse({ ...withNode("refund", { approval: "by_rule" })(graph), edges: [...graph.edges, edge] });

test("a graph that keeps to everything is taken", () => {
  expect(codes(buildDesk())).toEqual([]);
});

describe("refused, not warned", () => {
  test.each<Refused>([
    ["reading everything", "wildcard", withNode("write", { read_keys: ["*"] })],
    ["writing everything", "wildcard", withNode("write", { write_keys: ["*"], config: { agent_id: "writer", write_to: "draft" } })],
    ["showing outside agents everything", "wildcard", (graph: Graph) => graphSchema.parse({ ...graph, external: { read_keys: ["*"] } })],
    [
      "a way back",
      "unbounded_loop",
      (graph: Graph) =>
        graphSchema.parse({ ...graph, edges: [...graph.edges, { id: "back", source: "write", target: "write", kind: "error" }] }),
    ],
    [
      "a round through two nodes",
      "unbounded_loop",
      (graph: Graph) =>
        graphSchema.parse({ ...graph, edges: [...graph.edges, { id: "back", source: "refund", target: "write", kind: "error" }] }),
    ],
    ["a rejection that starts again", "unbounded_loop", withConfig("ask", { rejection_node: "write" })],
    ["an effect without an approval", "ungated_effect", withoutGate],
    ["an effect that an error leads to", "ungated_effect", around({ id: "e3", source: "write", target: "refund", kind: "error" })],
    ["an effect that a late approval leads to", "ungated_effect", around({ id: "e3", source: "ask", target: "refund", kind: "timeout" })],
    [
      "an effect that a rejection leads to",
      "ungated_effect",
      (graph: Graph) => withConfig("ask", { rejection_node: "refund" })(withNode("refund", { approval: "by_rule" })(graph)),
    ],
    [
      "more steps than a model may ask for",
      "beyond_limit",
      (graph: Graph) => ({ ...graph, max_iterations: ARCHITECT_LIMITS.max_iterations + 1 }),
    ],
    [
      "more tokens than a model may ask for",
      "beyond_limit",
      (graph: Graph) => ({ ...graph, max_token_budget: ARCHITECT_LIMITS.max_token_budget + 1 }),
    ],
    ["no budget", "no_budget", ({ max_token_budget: _none, ...graph }: Graph) => graph],
    [
      "a node called like what every object has",
      "reserved_name",
      (graph: Graph) => applyEdit(graph, { op: "rename_node", node: "stop", to: "constructor" }),
    ],
    ["an agent that does not exist", "agent_unknown", withConfig("write", { agent_id: "root" })],
    ["a tool that is not pinned", "tool_unavailable", withConfig("refund", { tool: "wire" })],
  ])("%s: %s", (_name, code, change) => {
    expect(codes(buildDesk(change))).toContain(code);
  });

  test.each([
    [undefined, false],
    [true, true],
  ] as const)("an agent with a tool only where it is trusted for it (%s)", (trusted, isRefused) => {
    const agents = DESK_CONTEXT.agents.map((one) => ({
      ...one,
      tools: [{ server: "shop", tool: "note", ...(trusted ? { trusted } : {}) }],
    }));
    const judged = judgeGraph(buildDesk(withConfig("write", { agent_id: "clerk" })), null, { ...DESK_CONTEXT, agents });
    expect(judged.ok ? [] : judged.problems.map(({ code }) => code)).toEqual(isRefused ? ["ungated_effect"] : []);
  });

  test.each<Loosened>([
    { name: "strict taint off", change: (graph: Graph) => ({ ...graph, strict_taint: false }) },
    {
      name: "isolation off",
      change: (graph: Graph) => ({ ...graph, isolate_untrusted: false }),
      start: (graph: Graph) => ({ ...graph, isolate_untrusted: true }),
    },
    { name: "a smaller quorum", change: withConfig("ask", { quorum: 1 }) },
    { name: "less shown to the reviewer", change: withConfig("ask", { review_keys: [] }) },
    { name: "no question of the node's own", change: withNode("refund", { approval: "by_rule" }) },
    { name: "no protection", change: withKey("checked", { protected: false }) },
    { name: "a lower integrity", change: withKey("checked", { min_integrity: "untrusted" }) },
    { name: "a lower classification", change: withKey("draft", { classification: "internal" }) },
    {
      name: "a check less",
      change: (graph: Graph) => graphSchema.parse({ ...graph, verification: { checks: [{ id: "quality", agent_id: "writer" }] } }),
      start: (graph: Graph) =>
        graphSchema.parse({
          ...graph,
          verification: {
            checks: [
              { id: "quality", agent_id: "writer" },
              { id: "security", agent_id: "clerk" },
            ],
          },
        }),
    },
  ])("in a change: $name", ({ change, start }) => {
    const before = buildDesk(start);
    expect(codes(change(before), before)).toContain("loosened");
  });
});

describe("listed for a second person, not refused", () => {
  test.each<Loosened>([
    {
      name: "a further grant",
      change: withNode("write", { write_keys: ["draft", "done"], config: { agent_id: "writer", write_to: "draft" } }),
    },
    { name: "more steps", change: (graph: Graph) => ({ ...graph, max_iterations: 40 }) },
    {
      name: "a further launch field",
      change: (graph: Graph) => ({ ...graph, inputs: { type: "object", properties: { request: { type: "string" }, done: {} } } }),
    },
  ])("$name", ({ change }) => {
    expect(codes(buildDesk(change), buildDesk())).toEqual([]);
  });
});

describe("whatever a model says", () => {
  test.each([
    ["nothing", ""],
    ["a sentence", "I cannot do that."],
    ["a list", "[]"],
    ["a cut answer", '{"format":"countersign/graph/v1","nodes":['],
    ["a member that no object of ours has", '{"__proto__":{"x":1},"format":"countersign/graph/v1"}'],
    ["something enormous", `{"format":"${"x".repeat(300_000)}"}`],
    ["something very deep", `${'{"a":'.repeat(200)}1${"}".repeat(200)}`],
  ])("%s is no graph", (_name, text) => {
    expect(judgeAnswer(text, null, DESK_CONTEXT).ok).toBe(false);
  });

  test("a fence and a sentence around it are forgiven", () => {
    expect(judgeAnswer(`Here you are:\n\`\`\`json\n${JSON.stringify(buildDesk())}\n\`\`\``, null, DESK_CONTEXT).ok).toBe(true);
  });

  test("keeps the id on a change, and gives a new graph an unused id", () => {
    const mine = { ...buildDesk(), id: "other" };
    const changed = judgeGraph(mine, buildDesk(), DESK_CONTEXT);
    expect(changed.ok && changed.graph.id).toBe("desk");
    const version = { version: "a".repeat(64), published: buildPublishedGraph(mine, DESK_CONTEXT) };
    const fresh = judgeGraph(mine, null, { ...DESK_CONTEXT, versions: [version] });
    expect(fresh.ok && fresh.graph.id).toBe("other-2");
  });

  test("places no node on another", () => {
    const judged = judgeGraph(
      { ...buildDesk(), nodes: buildDesk().nodes.map((node) => ({ ...node, position: { x: 0, y: 0 } })) },
      null,
      DESK_CONTEXT,
    );
    const places = judged.ok ? judged.graph.nodes.map(({ position }) => `${position.x},${position.y}`) : [];
    expect(new Set(places).size).toBe(4);
  });
});

/** Independent of the code under test. */
const violations = (graph: Graph): string[] => {
  const found: string[] = [];
  if (graph.nodes.some((node) => [...node.read_keys, ...node.write_keys].includes("*"))) found.push("wildcard");
  const ways = (from: string, without: string | null): string[] => {
    const node = graph.nodes.find(({ id }) => id === from);
    const drawn = graph.edges
      .filter((edge) => edge.source === from && !(from === without && (edge.kind === "normal" || edge.kind === "default")))
      .map(({ target }) => target);
    const rejected = node?.kind === "approval" && node.config.rejection_node !== undefined ? [node.config.rejection_node] : [];
    const managed = node?.kind === "supervisor" ? node.config.managed_nodes : [];
    const peers = node?.kind === "agent" ? (node.config.swarm?.peers ?? []) : [];
    const worker = node?.kind === "map" ? [node.config.worker_node] : [];
    const rework = node?.kind === "review" && node.config.rework ? [node.config.rework.node] : [];
    const judged = node?.kind === "judge" && node.config.rejection_node !== undefined ? [node.config.rejection_node] : [];

    return [...drawn, ...rejected, ...managed, ...peers, ...worker, ...rework, ...judged];
  };
  const reach = (without: string | null): Set<string> => {
    const seen = new Set([graph.start_node]);
    for (const id of seen) for (const next of ways(id, without)) seen.add(next);

    return seen;
  };
  // The engine asks about each change of an agent.
  const effects = graph.nodes.filter((node) => node.kind === "tool" && node.config.tool !== "look");
  for (const node of effects) {
    if (node.approval === "always") continue;
    const gates = graph.nodes.filter((gate) => gate.kind === "approval" && !reach(gate.id).has(node.id));
    if (reach(null).has(node.id) && gates.length === 0) found.push("ungated");
  }

  return found;
};

const adversarial: fc.Arbitrary<(graph: Graph) => Graph> = fc.oneof(
  fc.constantFrom(
    withNode("write", { read_keys: ["*"] }),
    withNode("refund", { approval: "by_rule" }),
    withNode("refund", { effect: "pure" }),
    withConfig("write", { agent_id: "clerk" }),
    withConfig("write", { swarm: { peers: ["refund"], max_handoffs: 3 } }),
    withConfig("ask", { quorum: 1 }),
    withConfig("ask", { rejection_node: "refund" }),
    withConfig("ask", { for_node: "write" }),
    withKey("checked", { protected: false }),
    withKey("draft", { classification: "public" }),
    (graph: Graph) => ({ ...graph, strict_taint: false }),
    (graph: Graph) => ({ ...graph, max_iterations: 400 }),
    (graph: Graph) => ({ ...graph, edges: graph.edges.filter(({ id }) => id !== "e2") }),
    (graph: Graph) => applyEdit(graph, { op: "add_edge", edge: { id: "skip", source: "write", target: "refund", kind: "error" } }),
    (graph: Graph) => applyEdit(graph, { op: "add_edge", edge: { id: "late", source: "ask", target: "refund", kind: "timeout" } }),
    (graph: Graph) => applyEdit(graph, { op: "rename_node", node: "refund", to: "thanks" }),
    (graph: Graph) => applyEdit(graph, { op: "remove_node", node: "ask", rejoin: true }),
    (graph: Graph) => ({ ...graph, end_nodes: graph.nodes.map(({ id }) => id) }),
  ),
  arbitraryEdit.map((edit) => (graph: Graph) => applyEdit(graph, edit)),
);

const safely = (change: (graph: Graph) => Graph, graph: Graph): Graph => {
  try {
    return change(graph);
  } catch {
    return graph;
  }
};

test("an accepted graph has no forbidden part and loosens no existing guard, for every model answer", () => {
  let accepted = 0;
  fc.assert(
    fc.property(fc.array(adversarial, { maxLength: 3 }), fc.boolean(), (changes, isChange) => {
      const before = buildDesk();
      const judged = judgeGraph(
        changes.reduce((graph, change) => safely(change, graph), before),
        isChange ? before : null,
        DESK_CONTEXT,
      );
      if (!judged.ok) return;
      accepted += 1;
      expect(violations(judged.graph)).toEqual([]);
      if (!isChange) return;
      const ask = judged.graph.nodes.find((node) => node.kind === "approval" && node.config.quorum === 2);
      expect(judged.graph.strict_taint).toBe(true);
      const calls = judged.graph.nodes.some((node) => node.kind === "tool" && node.config.tool === "refund");
      expect(calls && ask === undefined).toBe(false);
      const authority = (graph: Graph) => readAuthority(buildPublishedGraph(graph, DESK_CONTEXT));
      expect(diffAuthority(authority(before), authority(judged.graph)).filter(({ loosens }) => loosens)).toEqual([]);
    }),
    { numRuns: 1_500 },
  );
  // A property about nothing would hold as well.
  expect(accepted).toBeGreaterThan(100);
});
