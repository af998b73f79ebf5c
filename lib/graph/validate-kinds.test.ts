import { describe, expect, test } from "vitest";
import type { ProblemCode } from "@/lib/graph/problems/problem";
import { both, change, configure, findNode, problems, type Change } from "@/lib/graph/testing/broken";
import { ZOO, ZOO_CONTEXT } from "@/lib/graph/testing/zoo";
import { validateGraph } from "@/lib/graph/validate";

const classify =
  (name: string, fields: object): Change =>
  (graph) =>
    void Object.assign(graph.memory?.find((key) => key.key === name) ?? {}, fields);

test("a graph of all kinds in which nothing is wrong has no problems at all", () => {
  expect(new Set(ZOO.nodes.map((node) => node.kind)).size).toBe(14);
  expect(validateGraph(ZOO, ZOO_CONTEXT)).toEqual([]);
});

const RULES: readonly (readonly [what: string, code: ProblemCode, change: Change, where?: object])[] = [
  [
    "a supervisor manages a node that is not there",
    "dangling_reference",
    configure("boss", { managed_nodes: ["draft", "gone"] }),
    { node: "boss" },
  ],
  [
    "an agent may hand over to a node that is not there",
    "dangling_reference",
    configure("draft", { swarm: { peers: ["gone"] } }),
    { node: "draft" },
  ],
  ["a map's worker is not there", "dangling_reference", configure("each", { worker_node: "gone" }), { node: "each" }],
  ["a managed node that leads nowhere", "dead_end", (graph) => void graph.edges.shift(), { node: "draft" }],
  [
    "a round that no way leads out of",
    "endless_loop",
    (graph) =>
      graph.edges.push({ id: "x", source: "keep", target: "keep2" }, { id: "y", source: "keep2", target: "keep" }) &&
      Object.assign(graph, { end_nodes: ["act"], nodes: [...graph.nodes, { id: "keep2", kind: "router", config: {} }] }),
    { node: "keep" },
  ],
  [
    "a round that is no supervisor's",
    "loop",
    (graph) => void graph.edges.push({ id: "back", source: "keep", target: "vote", kind: "error" }),
  ],
  [
    "a worker that is no worker",
    "worker_kind",
    both(configure("each", { worker_node: "idle" }), (graph) => void graph.nodes.push({ id: "idle", kind: "router", config: {} })),
    { node: "each" },
  ],
  [
    "a worker that an edge leads to",
    "worker_on_path",
    (graph) => void graph.edges.push({ id: "x", source: "vote", target: "look", kind: "error" }),
    { node: "look" },
  ],
  ["a worker that is managed", "worker_on_path", configure("boss", { managed_nodes: ["draft", "look"] }), { node: "look" }],
  ["an item where no map gives one", "item_outside_map", configure("act", { arguments: { about: { item: "" } } }), { node: "act" }],
  [
    "a judge that judges what it wrote",
    "reviewer_is_producer",
    configure("check", { check: { type: "judge", agent_id: "writer", key: "draft" } }),
    { node: "check" },
  ],
  ["a judge that votes", "reviewer_is_producer", configure("vote", { judge_id: "writer" }), { node: "vote" }],
  ["a candidate that scores", "reviewer_is_producer", configure("search", { fitness: { agent_id: "writer" } }), { node: "search" }],
  [
    "an evaluator of its own tries",
    "reviewer_is_producer",
    configure("draft", { annealing: { evaluator_id: "writer" } }),
    { node: "draft" },
  ],
  ["more votes needed than voters", "quorum_too_high", configure("vote", { quorum: 3 }), { node: "vote" }],
  ["a judge that is not named", "judge_missing", configure("vote", { judge_id: undefined }), { node: "vote" }],
  ["a tie decided by no value", "tie_value_missing", configure("vote", { on_tie: "value" }), { node: "vote" }],
  ["an unpublished graph", "subgraph_unknown", configure("child", { graph_id: "gone" }), { node: "child" }],
  ["a version that is not of this graph", "subgraph_unknown", configure("child", { version: "a".repeat(64) }), { node: "child" }],
  ["itself", "subgraph_cycle", configure("child", { graph_id: "zoo" }), { node: "child" }],
  ["a graph that uses this one", "subgraph_cycle", configure("child", { graph_id: "user" }), { node: "child" }],
  ["33 graphs inside each other", "subgraph_too_deep", configure("child", { graph_id: "deep32" }), { node: "child" }],
  [
    "a key that the child does not have",
    "mapping_undeclared",
    configure("child", { inputs: { question: "request", other: "request" } }),
    { node: "child", key: "other" },
  ],
  [
    "an answer that the child does not have",
    "mapping_undeclared",
    configure("child", { outputs: { answer: "other.part" } }),
    { node: "child", key: "answer" },
  ],
  ["an input that the child needs", "mapping_missing", configure("child", { inputs: {} }), { node: "child", key: "question" }],
  [
    "a child that changes something",
    "ungated_effect",
    (graph) => {
      Object.assign(findNode(graph, "child").config, { graph_id: "armed" });
      Object.assign(graph, { edges: graph.edges.map((edge) => (edge.source === "merge" ? { ...edge, target: "child" } : edge)) });
    },
    { node: "child" },
  ],
  ["a worker that changes something", "ungated_effect", configure("look", { tool: "update" }), { node: "look" }],
  [
    "an agent that is not there, among voters",
    "agent_unknown",
    configure("vote", { voters: [{ agent_id: "gone" }] }),
    { node: "vote", key: "gone" },
  ],
  ["an undo that is not pinned", "tool_unavailable", change("act", { compensation: { server: "desk", tool: "gone" } }), { node: "act" }],
  [
    "an undo with an argument too many",
    "argument_unknown",
    change("act", { compensation: { server: "desk", tool: "undo", arguments: { other: { value: 1 } } } }),
    { node: "act" },
  ],
  [
    "an undo that reads what it may not",
    "path_not_granted",
    change("act", { compensation: { server: "desk", tool: "undo", arguments: { about: { from: "draft" } } } }),
    { key: "draft" },
  ],
  ["items without a grant", "path_not_granted", change("each", { read_keys: [] }), { node: "each", key: "tickets" }],
  ["a promotion without a grant", "path_not_granted", change("ask", { write_keys: [] }), { node: "ask", key: "checked" }],
  ["a report without a grant", "path_not_granted", configure("vote", { votes_to: "verdict" }), { node: "vote", key: "verdict" }],
  [
    "a check that does not compile",
    "expression_invalid",
    configure("check", { check: { type: "expression", expression: "1 +" } }),
    { node: "check" },
  ],
  [
    "a check of what it may not read",
    "expression_key_unread",
    configure("check", { check: { type: "expression", expression: "memory.best == 1" } }),
    { key: "best" },
  ],
  ["a score that does not compile", "expression_invalid", configure("search", { fitness: { expression: "1 +" } }), { node: "search" }],
  [
    "a check by a schema that is none",
    "check_schema_unusable",
    configure("check", { check: { type: "schema", key: "draft", schema: { $ref: "#/gone" } } }),
    { node: "check" },
  ],
  ["a verdict that goes nowhere", "answer_dropped", change("check", { write_keys: ["verdict", "best"] }), { node: "check" }],
  [
    "a promoted path without a writer",
    "read_never_written",
    both(configure("each", { write_to: "best" }), change("each", { write_keys: ["best"] })),
    { node: "ask", key: "found" },
  ],
  [
    "what only a later child answers",
    "read_never_written",
    change("merge", { read_keys: ["choice", "best", "answer"] }),
    { node: "merge", key: "answer" },
  ],
  ["nodes that spend without any budget", "missing_budget", (graph) => void delete graph.max_token_budget],
  [
    "a timeout as long as the run",
    "missing_timeout",
    (graph) => void Object.assign(graph, { max_execution_time_ms: 60_000 }),
    { node: "vote" },
  ],
];

describe("every rule about kinds is broken by the one change that it is about", () => {
  const rules = RULES.map(([what, code, broken, where = {}]) => ({ what, code, broken, where }));
  test.each(rules)("$code: $what", ({ code, broken, where }) => {
    expect(problems(broken)).toContainEqual(expect.objectContaining({ code, ...where }));
  });

  test("32 graphs inside each other are as many as the engine follows", () => {
    expect(problems(configure("child", { graph_id: "deep31" })).map((one) => one.code)).not.toContain("subgraph_too_deep");
  });
});

describe("judges of the producer's family", () => {
  test("are warned of, for every provider", () => {
    const agents = ZOO_CONTEXT.agents.map((agent) => (agent.id === "critic" ? { ...agent, model: "other:claude-opus-5" } : agent));
    const found = validateGraph(ZOO, { ...ZOO_CONTEXT, agents });
    expect(found.map(({ code, severity, node }) => [code, severity, node])).toEqual(
      ["vote", "search", "check", "inspect"].map((node) => ["reviewer_same_family", "warning", node]),
    );
  });
});

describe("flows", () => {
  test("what a map's worker brings in is not stopped by a gate before the map: the fix makes the map ask", () => {
    const found = problems(classify("found", { protected: true })).find((one) => one.code === "untrusted_to_protected");
    expect(found).toMatchObject({
      node: "each",
      key: "found",
      fix: { edits: [{ op: "replace_node", node: { id: "each", approval: "always" } }] },
    });
  });

  test("an agent that reads and then acts needs no approval of its own: the engine asks about each action", () => {
    const armed = ZOO_CONTEXT.agents.map((agent) =>
      agent.id === "finder" ? { ...agent, tools: [...agent.tools, { server: "desk", tool: "update" }] } : agent,
    );
    const graph = structuredClone(ZOO);
    findNode(graph, "act").id = "acts";
    Object.assign(findNode(graph, "child"), {
      kind: "agent",
      read_keys: ["request"],
      write_keys: ["answer"],
      config: { agent_id: "finder" },
    });
    graph.edges = graph.edges.map((edge) => ({
      ...edge,
      source: edge.source.replace(/^act$/, "acts"),
      target: edge.target.replace(/^act$/, "acts"),
    }));
    const found = validateGraph(graph, { ...ZOO_CONTEXT, agents: armed });
    expect(found.filter(({ node, severity }) => node === "child" && severity === "error")).toEqual([]);
  });

  const search = both(change("act", { approval: "by_rule", compensation: undefined }), configure("act", { tool: "search" }), (graph) => {
    Object.assign(findNode(graph, "act"), { read_keys: ["found"] });
    Object.assign(findNode(graph, "act").config, { arguments: { about: { from: "found" } } });
    Object.assign(graph, {
      edges: graph.edges.map((edge) => (edge.target === "ask" ? { ...edge, target: "child" } : edge)),
      nodes: graph.nodes.filter((node) => node.id !== "ask"),
    });
    graph.edges = graph.edges.filter((edge) => edge.source !== "ask");
  });

  test("untrusted data may reach a search tool, but not with confidential data", () => {
    expect(problems(search).map((one) => one.code)).not.toContain("untrusted_to_effect");
    expect(problems(search)).toContainEqual(
      expect.objectContaining({ code: "untrusted_outward", severity: "warning", node: "act", key: "desk__search" }),
    );
    const isPublic = both(
      search,
      classify("found", { classification: "public" }),
      configure("act", { arguments: { about: { value: "x" } } }),
    );
    expect(problems(isPublic).map((one) => one.code)).not.toContain("untrusted_outward");
    expect(problems(both(search, classify("found", { classification: "pii" })))).toContainEqual(
      expect.objectContaining({ code: "untrusted_to_effect", node: "act", key: "desk__search" }),
    );
  });

  test("a gate does not raise the clearance of a tool", () => {
    expect(problems(classify("checked", { classification: "pii" }))).toContainEqual(
      expect.objectContaining({ code: "secret_to_tool", node: "act", key: "checked" }),
    );
  });

  test("a supervisor that listens to untrusted data decides by it", () => {
    const found = problems(configure("draft", { agent_id: "finder" }));
    expect(found.map((one) => one.code)).not.toContain("untrusted_decision");
    expect(problems(both(configure("draft", { agent_id: "finder" }), change("boss", { read_keys: ["request", "draft"] })))).toContainEqual(
      expect.objectContaining({ code: "untrusted_decision", node: "boss" }),
    );
  });

  const decides =
    (key: string, source: string): Change =>
    (graph) => {
      Object.assign(graph, { strict_taint: true });
      const node = findNode(graph, source);
      node.read_keys = [...(node.read_keys ?? []), key];
      graph.edges = graph.edges.map((edge) => (edge.source === source ? { ...edge, kind: "default" as const } : edge));
      graph.edges.push({ id: "asked", source, target: "keep", condition: `memory.${key} == 'x'` });
    };

  test("under strict taint a decision on a value only tools write is an error, on a promoted value it is not", () => {
    const codes = (key: string) => problems(decides(key, "child")).map((one) => one.code);
    expect(codes("found")).toContain("decision_never_clean");
    expect(codes("checked")).not.toContain("decision_never_clean");
  });

  test("unless the graph holds there on purpose, which the fix does", () => {
    const [problem] = problems(decides("found", "child")).filter(({ code }) => code === "decision_never_clean");
    const held = both(decides("found", "child"), (graph) => {
      graph.edges = graph.edges.map((edge) => (edge.id === "asked" ? { ...edge, hold: true } : edge));
    });
    expect(problem?.fix?.edits).toEqual([
      expect.objectContaining({ op: "replace_edge", edge: expect.objectContaining({ hold: true }) as object }),
    ]);
    expect(problems(held).map(({ code }) => code)).not.toContain("decision_never_clean");
  });

  test("an agent's output is always untrusted too, once it certainly read such a value", () => {
    const told = both(change("vote", { read_keys: ["draft", "found"] }), decides("choice", "child"));
    expect(problems(told).map((one) => one.code)).toContain("decision_never_clean");
    expect(problems(decides("choice", "child")).map((one) => one.code)).not.toContain("decision_never_clean");
  });
});
