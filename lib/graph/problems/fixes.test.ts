import { describe, expect, test } from "vitest";
import { graphSchema, type GraphInput } from "@/lib/graph/document";
import { applyEdit } from "@/lib/graph/edit";
import { both, change, configure, findNode, set, type Change } from "@/lib/graph/testing/broken";
import { ZOO, ZOO_CONTEXT } from "@/lib/graph/testing/zoo";
import { validateGraph } from "@/lib/graph/validate";
import type { ProblemCode } from "./problem";

const CASES: readonly (readonly [code: ProblemCode, title: string, broken: Change])[] = [
  ["no_end", "End at keep", set({ end_nodes: [] })],
  [
    "unreachable_end",
    "Unmark as end node",
    (graph) => {
      graph.nodes.push({ id: "far", kind: "router", config: {} });
      graph.end_nodes.push("far");
    },
  ],
  [
    "endless_loop",
    "Mark keep as end node",
    both(set({ end_nodes: ["act"] }), (graph) => void graph.edges.push({ id: "x", source: "keep", target: "keep" })),
  ],
  [
    "condition_key_undeclared",
    "Declare nowhere",
    (graph) => void Object.assign(graph.edges[1] ?? {}, { condition: "memory.nowhere == 1" }),
  ],
  ["wildcard_grant", "List each key", change("draft", { read_keys: ["*"] })],
  ["wildcard_grant", "List each key", set({ external: { read_keys: ["*"] } })],
  ["answer_dropped", "Write the result to draft", change("draft", { write_keys: ["draft", "answer"] })],
  ["argument_unknown", "Remove other", configure("act", { arguments: { about: { from: "checked" }, other: { value: 1 } } })],
  [
    "argument_unknown",
    "Remove other",
    change("act", { compensation: { server: "desk", tool: "undo", arguments: { other: { value: 1 } } } }),
  ],
  ["reviewers_missing", "Add a person", configure("inspect", { reviewers: [] })],
  [
    "reviewers_of_one_family",
    "Replace with a person",
    configure("inspect", {
      reviewers: [
        { type: "agent", agent_id: "critic" },
        { type: "agent", agent_id: "critic" },
      ],
    }),
  ],
  [
    "reviewer_is_producer",
    "Replace with a person",
    configure("inspect", { reviewers: [{ type: "agent", agent_id: "writer" }, { type: "person" }] }),
  ],
  [
    "rule_impossible",
    "Keep valid origins",
    configure("weigh", {
      rules: [
        { field: "plan", rule: { type: "enum", values: ["basic"] } },
        { field: "page", rule: { type: "url", origins: ["https://example.org", "nowhere"] } },
      ],
    }),
  ],
  ["subgraph_unknown", "Use the latest version", configure("child", { version: "9".repeat(64) })],
  [
    "mapping_missing",
    "Pass question",
    both(configure("child", { inputs: {} }), (graph) => void graph.memory?.push({ key: "question", schema: {} })),
  ],
  [
    "read_never_written",
    "Ask for place at the start",
    both(
      (graph) => void graph.memory?.push({ key: "place", schema: { type: "string" } }),
      change("draft", { read_keys: ["request", "place"] }),
    ),
  ],
  ["read_never_written", "Stop reading weighed", change("draft", { read_keys: ["request", "weighed"] })],
  [
    "verification_idle",
    "Turn off verification",
    (graph: GraphInput) => {
      graph.nodes = graph.nodes.filter(({ id }) => id !== "act");
      graph.edges = graph.edges.flatMap((edge) =>
        edge.source === "act" ? [] : [edge.target === "act" ? { ...edge, target: "keep" } : edge],
      );
    },
  ],
];

describe("one click", () => {
  test.each(CASES)("%s: %s", (code, title, broken) => {
    const document = structuredClone(ZOO);
    broken(document);
    const graph = graphSchema.parse(document);
    const found = validateGraph(graph, ZOO_CONTEXT).find((one) => one.code === code && one.fix?.title === title);
    expect(validateGraph(graph, ZOO_CONTEXT).map((one) => `${one.code}: ${one.fix?.title ?? ""}`)).toContain(`${code}: ${title}`);
    const fixed = found?.fix?.edits.reduce(applyEdit, graph);
    expect(validateGraph(fixed, ZOO_CONTEXT).map((one) => one.message)).not.toContain(found?.message);
  });
});

test("an argument that is missing is taken from the key of its name, with a grant for it", () => {
  const tools = ZOO_CONTEXT.tools.map((tool) =>
    tool.tool === "update" ? { ...tool, input_schema: { ...tool.input_schema, required: ["about"] } } : tool,
  );
  const context = { ...ZOO_CONTEXT, tools };
  const document = structuredClone(ZOO);
  document.memory?.push({ key: "about", schema: {} });
  findNode(document, "act").read_keys = [];
  Object.assign(findNode(document, "act").config, { arguments: {} });
  const graph = graphSchema.parse(document);
  const found = validateGraph(graph, context).find((one) => one.code === "argument_missing");
  expect(found?.fix?.title).toBe("Use memory key about");
  expect(found?.fix?.edits.reduce(applyEdit, graph).nodes.find(({ id }) => id === "act")).toMatchObject({
    read_keys: ["about"],
    config: { arguments: { about: { from: "about" } } },
  });
});
