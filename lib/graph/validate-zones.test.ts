import { describe, expect, test } from "vitest";
import { applyEdit } from "@/lib/graph/edit";
import { graphSchema, type Agent } from "@/lib/graph/document";
import type { ProblemCode } from "@/lib/graph/problems/problem";
import { both, change, configure, findNode, problems, set, type Change } from "@/lib/graph/testing/broken";
import { ZOO, ZOO_CONTEXT } from "@/lib/graph/testing/zoo";
import { validateGraph } from "@/lib/graph/validate";

const PLAN = { name: "plan", value: { type: "enum", values: ["basic", "team"] } };
const PAGE = { name: "page", value: { type: "url" } };
const rules = (...entries: readonly object[]): Change => configure("weigh", { rules: entries });
const ON_PLAN = { field: "plan", rule: { type: "enum", values: ["basic"] } };
const ON_PAGE = { field: "page", rule: { type: "url", origins: ["https://example.org"] } };
const onPage = (rule: object): Change => rules(ON_PLAN, { field: "page", rule });
const checks = (...list: readonly object[]): Change => set({ verification: { checks: list } });
const external: Change = set({ external: { read_keys: ["draft"] } });
const action = (id: string, ...inputs: readonly object[]): Change => change(id, { action: { inputs } });
const classify =
  (name: string, fields: object): Change =>
  (graph) =>
    void Object.assign(graph.memory?.find((key) => key.key === name) ?? {}, fields);
const people = [{ type: "person" }];
const agents = (...ids: readonly string[]) => ids.map((id) => ({ type: "agent", agent_id: id }));
const edge =
  (source: string, target: string, kind = "error"): Change =>
  (graph) =>
    void graph.edges.push({ id: "x", source, target, kind: kind as "error" });
const circle: Change = (graph) => {
  Object.assign(findNode(graph, "weigh").config, { to: "again" });
  Object.assign(findNode(graph, "weigh"), { write_keys: ["again"] });
  Object.assign(findNode(graph, "inspect").config, { target: "again" });
  graph.memory?.push({ key: "again", schema: {} });
};

const RULES: readonly (readonly [what: string, code: ProblemCode, change: Change, where?: object])[] = [
  ["an extract reads what it may not", "path_not_granted", change("pull", { read_keys: [] }), { node: "pull", key: "found" }],
  [
    "an extract reads an undeclared key",
    "read_undeclared",
    both(change("pull", { read_keys: ["gone"] }), configure("pull", { from: "gone" })),
    { node: "pull" },
  ],
  ["an extract writes what it may not", "path_not_granted", configure("pull", { write_to: "summary" }), { node: "pull", key: "summary" }],
  ["an extract writes two keys", "extract_unwritten", change("pull", { write_keys: ["form", "summary"] }), { node: "pull" }],
  ["an extract writes nowhere", "extract_unwritten", change("pull", { write_keys: [] }), { node: "pull" }],
  ["an extract has no fields", "fields_missing", configure("pull", { fields: [] }), { node: "pull" }],
  ["two fields are called the same", "field_doubled", configure("pull", { fields: [PLAN, PAGE, PLAN] }), { node: "pull", key: "plan" }],
  ["an extract's agent has tools", "extract_tools_ignored", configure("pull", { agent_id: "finder" }), { node: "pull" }],
  [
    "an extract is granted what it does not read",
    "unused_grant",
    change("pull", { read_keys: ["found", "request"] }),
    { node: "pull", key: "request" },
  ],
  ["a review looks at what it may not", "path_not_granted", change("inspect", { read_keys: ["form"] }), { node: "inspect", key: "found" }],
  ["a review without reviewers", "reviewers_missing", configure("inspect", { reviewers: [] }), { node: "inspect" }],
  ["more approvals are needed than can be given", "quorum_too_high", configure("inspect", { quorum: 3 }), { node: "inspect" }],
  [
    "who extracted reviews",
    "reviewer_is_producer",
    configure("inspect", { reviewers: agents("writer"), quorum: 1 }),
    { node: "inspect", key: "writer" },
  ],
  [
    "one agent reviews twice",
    "reviewers_of_one_family",
    configure("inspect", { reviewers: agents("critic", "critic") }),
    { node: "inspect" },
  ],
  ["what does not pass is sent to the end", "rework_to_end", configure("inspect", { rework: { node: "keep" } }), { node: "inspect" }],
  ["what does not pass is sent nowhere", "dangling_reference", configure("inspect", { rework: { node: "gone" } }), { node: "inspect" }],
  ["a way leads back to a review", "review_unbounded", edge("child", "pull"), { node: "inspect" }],
  ["a rejection leads back to its review", "review_unbounded", configure("weigh", { rejection_node: "pull" }), { node: "inspect" }],
  ["a review looks at what its own verdicts let through", "review_unbounded", circle, { node: "inspect" }],
  ["a judge's review is not there", "dangling_reference", configure("weigh", { review: "gone" }), { node: "weigh" }],
  ["a judge's review is none", "judge_without_review", configure("weigh", { review: "ask" }), { node: "weigh" }],
  ["something else was reviewed", "judged_unreviewed", configure("inspect", { target: "found" }), { node: "weigh" }],
  ["a way leads around the review", "review_bypassed", edge("pull", "weigh"), { node: "weigh" }],
  ["no extract wrote the judged form", "judge_without_extract", configure("pull", { write_to: "form.part" }), { node: "weigh" }],
  ["another node can write the judged form", "judged_shared", both(change("merge", { write_keys: ["form"] })), { node: "weigh" }],
  ["a judge overwrites what it judged", "judged_in_place", configure("weigh", { to: "form.checked" }), { node: "weigh" }],
  ["a field has no rule", "rule_missing", rules(ON_PLAN), { node: "weigh", key: "page" }],
  ["a field has two rules", "rule_doubled", rules(ON_PLAN, ON_PAGE, ON_PLAN), { node: "weigh", key: "plan" }],
  ["a rule is about no field", "rule_unknown", rules(ON_PLAN, ON_PAGE, { ...ON_PLAN, field: "gone" }), { node: "weigh", key: "gone" }],
  ["a rule is for other values", "rule_unfit", onPage({ type: "range", min: 0, max: 1 }), { node: "weigh", key: "page" }],
  ["a pattern does not compile", "pattern_invalid", onPage({ type: "pattern", pattern: "(a" }), { key: "page" }],
  ["a pattern is none of RE2", "pattern_invalid", onPage({ type: "pattern", pattern: "a(?=b)" }), { key: "page" }],
  ["nothing is allowed", "rule_impossible", onPage({ type: "url", origins: [] }), { key: "page" }],
  ["an origin has a path", "rule_impossible", onPage({ type: "url", origins: ["https://example.org/a"] }), { key: "page" }],
  ["a range is upside down", "rule_impossible", onPage({ type: "length", min: 2, max: 1 }), { key: "page" }],
  ["a date ends before it begins", "rule_impossible", onPage({ type: "date", from: "2026-02-01", to: "2026-01-01" }), { key: "page" }],
  ["a domain is none", "rule_impossible", onPage({ type: "mail_domain", domains: ["@example.org"] }), { key: "page" }],
  ["effects are verified by no check", "checks_missing", checks(), {}],
  [
    "a check is there twice",
    "check_doubled",
    checks({ id: "security", agent_id: "critic" }, { id: "security", agent_id: "critic" }),
    { key: "security" },
  ],
  ["a check's agent is not there", "agent_unknown", checks({ id: "docs", agent_id: "gone" }), { key: "gone" }],
  [
    "the producer of the arguments checks them",
    "checker_is_producer",
    both(
      checks({ id: "docs", agent_id: "writer" }),
      change("act", { read_keys: ["checked", "draft"] }),
      configure("act", { arguments: { about: { from: "draft" } } }),
    ),
    { node: "act", key: "docs" },
  ],
  [
    "nothing is left to verify",
    "verification_idle",
    set({ verification: { effects: ["irreversible"], checks: [{ id: "docs", agent_id: "critic" }] } }),
    {},
  ],
  [
    "the launch form must be filled",
    "external_inputs_required",
    both(external, set({ inputs: { type: "object", properties: { request: {}, tickets: {} }, required: ["request"] } })),
  ],
  ["outside agents read an undeclared key", "read_undeclared", set({ external: { read_keys: ["gone.part"] } }), { key: "gone" }],
  ["outside agents read everything", "wildcard_grant", set({ external: { read_keys: ["*"] } })],
  [
    "an input goes where nothing is declared",
    "input_undeclared",
    both(external, action("draft", { name: "topic", path: "gone" })),
    { node: "draft", key: "topic" },
  ],
  [
    "an input goes to a protected key",
    "input_protected",
    both(external, action("draft", { name: "topic", path: "request.topic" }), classify("request", { protected: true })),
    { node: "draft", key: "topic" },
  ],
  [
    "two inputs are called the same",
    "input_doubled",
    both(external, action("draft", { name: "topic", path: "request" }, { name: "topic", path: "tickets" })),
    { node: "draft", key: "topic" },
  ],
  ["an action that no agent can take is described", "action_ignored", action("draft"), { node: "draft" }],
  ["a worker is described as an action", "action_never_offered", both(external, action("look")), { node: "look" }],
  [
    "only a failure leads to an action",
    "action_never_offered",
    both(
      external,
      edge("child", "rescue"),
      edge("rescue", "keep", "normal"),
      (graph) => void graph.nodes.push({ id: "rescue", kind: "router", config: {} }),
    ),
    { node: "rescue" },
  ],
  [
    "a model sees a handle that no node opens",
    "extract_missing",
    both(
      set({ isolate_untrusted: true }),
      change("merge", { read_keys: ["choice", "best", "found"] }),
      configure("merge", { agent_id: "writer", merge: undefined }),
      configure("pull", { from: "draft" }),
    ),
    { node: "merge", key: "found" },
  ],
  [
    "a model sees a handle of what an extract opens",
    "only_handles",
    both(
      set({ isolate_untrusted: true }),
      change("merge", { read_keys: ["choice", "best", "found"] }),
      configure("merge", { agent_id: "writer", merge: undefined }),
    ),
    { node: "merge", key: "found" },
  ],
];

describe("every rule about zones and outside agents is broken by the one change that it is about", () => {
  const cases = RULES.map(([what, code, broken, where = {}]) => ({ what, code, broken, where }));
  test.each(cases)("$code: $what", ({ code, broken, where }) => {
    expect(problems(broken)).toContainEqual(expect.objectContaining({ code, ...where }));
  });

  test.each(cases)("$code: $what, and a fix that is offered leaves nothing of it", ({ code, broken }) => {
    const graph = structuredClone(ZOO);
    broken(graph);
    const found = validateGraph(graph, ZOO_CONTEXT).filter((one) => one.code === code && one.fix);
    for (const { fix, message } of found) {
      const fixed = fix?.edits.reduce(applyEdit, graphSchema.parse(graph));
      expect(validateGraph(fixed, ZOO_CONTEXT).map((one) => one.message)).not.toContain(message);
    }
  });
});

describe("sound graphs", () => {
  const codes = (broken: Change) => problems(broken).map((one) => one.code);

  test("a review that counts what it sends back may be come back to", () => {
    expect(codes(configure("inspect", { rework: { node: "pull" } }))).toEqual([]);
  });

  test("people review beside models, and alone", () => {
    expect(codes(configure("inspect", { reviewers: people, quorum: 1 }))).toEqual([]);
    expect(codes(configure("inspect", { reviewers: [{ type: "person", count: 2 }], quorum: 2 }))).toEqual([]);
  });

  test("driven from outside, the graph of all kinds lacks nothing, and the caller may go round", () => {
    expect(codes(external)).toEqual([]);
    expect(codes(both(external, edge("child", "pull", "normal")))).not.toContain("review_unbounded");
  });

  test("isolation warns of nothing that is clean or raised", () => {
    expect(codes(set({ isolate_untrusted: true }))).toEqual([]);
    const raised = both(set({ isolate_untrusted: true }), change("keep", { read_keys: ["summary", "weighed"] }));
    expect(codes(raised)).toEqual([]);
  });
});

describe("families", () => {
  const renamed = (id: string, model: string): readonly Agent[] =>
    ZOO_CONTEXT.agents.map((agent) => (agent.id === id ? { ...agent, model } : agent));

  test("two reviewers of one family are an error, of two families they are none", () => {
    const both_ = configure("inspect", { reviewers: agents("critic", "finder"), quorum: 2 });
    const found = (model: string) => problems(both_, { ...ZOO_CONTEXT, agents: [...renamed("finder", model)] }).map((one) => one.code);
    expect(found("openai:gpt-6")).toContain("reviewers_of_one_family");
    expect(found("mistral:large-3")).not.toContain("reviewers_of_one_family");
  });

  test("a check of the producer's family is a warning", () => {
    const written = both(change("act", { read_keys: ["checked", "draft"] }), configure("act", { arguments: { about: { from: "draft" } } }));
    const found = (model: string) =>
      problems(written, { ...ZOO_CONTEXT, agents: [...renamed("critic", model)] }).filter((one) => one.node === "act");
    expect(found("anthropic:claude-opus-5")).toContainEqual(expect.objectContaining({ code: "reviewer_same_family", severity: "warning" }));
    expect(found("openai:gpt-5.2").map((one) => one.code)).not.toContain("reviewer_same_family");
  });
});

test("an untrusted flow to an effect is stopped by a judge on every path to it", () => {
  const asking = (key: string): Change =>
    both(
      change("act", { read_keys: [key], compensation: undefined, approval: "by_rule" }),
      configure("act", { tool: "search", arguments: { about: { from: key } } }),
      classify(key, { classification: "pii" }),
      (graph) => {
        // Its own gate would report the same.
        graph.nodes = graph.nodes.filter((node) => node.id !== "ask");
        graph.edges = graph.edges
          .filter((one) => one.source !== "ask")
          .map((one) => (one.target === "ask" ? { ...one, target: "pull" } : one));
      },
    );
  expect(problems(asking("form"))).toContainEqual(
    expect.objectContaining({ code: "untrusted_to_effect", node: "act", key: "desk__search" }),
  );
  expect(problems(asking("weighed")).map((one) => one.code)).not.toContain("untrusted_to_effect");
});
