import { expect, test } from "vitest";
import { agentSchema, graphSchema, pinnedToolSchema, type PinnedTool } from "@/lib/graph/document";
import { NODE_KINDS } from "@/lib/graph/kinds";
import type { PublishedVersion } from "@/lib/graph/facts/facts";
import { buildPublishedGraph, computeVersionHash } from "@/lib/graph/publish";
import { validateGraph } from "@/lib/graph/validate";
import { orderIdSchema } from "@/server/seed/order-desk/memory";
import { DEMO_AGENTS, DEMO_GRAPHS, DEMO_SERVERS } from "@/server/seed/workflows";

/** Labels only; tests with real servers check arguments. */
const tools: readonly PinnedTool[] = DEMO_SERVERS.flatMap(({ id, labels }) =>
  Object.entries(labels).map(([tool, label]) =>
    pinnedToolSchema.parse({ server: id, tool, definition_digest: "0".repeat(64), description: "", input_schema: {}, ...label }),
  ),
);
const agents = DEMO_AGENTS.map((agent) => agentSchema.parse(agent));
const graphs = DEMO_GRAPHS.map(({ document }) => graphSchema.parse(document));

const problems = () => {
  const versions: PublishedVersion[] = [];

  return graphs.map((graph) => {
    const context = { agents, tools, versions };
    const found = validateGraph(graph, context);
    const published = buildPublishedGraph(graph, context);
    versions.unshift({ version: computeVersionHash(published), published });

    return [graph.id, found.map(({ severity, code, node, edge }) => `${severity} ${code} ${node ?? edge ?? ""}`)];
  });
};

test("the validator finds no error in the seeded graphs, and only intended warnings", () => {
  expect(Object.fromEntries(problems())).toEqual({
    "delivery-planning": [],
    "weather-notice": [],
    "fact-check": [],
    // Decisions after a page or tool answer can depend on it.
    "research-and-publish": [
      "warning reviewer_same_family write",
      "warning untrusted_decision plan",
      "warning untrusted_decision fetch",
      "warning untrusted_decision take_notes",
      "warning untrusted_decision edit",
    ],
    // Its agent demonstrates seeing only a handle.
    "page-digest": ["warning only_handles tell"],
    "order-desk": ["warning untrusted_decision check_lines", "warning untrusted_decision can_be_sent"],
    // An uncovered refund is proposed again.
    "refund-desk": ["warning loop propose_refund", "warning untrusted_decision small", "warning untrusted_decision large"],
    "support-desk": ["warning untrusted_decision nothing_changes"],
  });
});

test("every node kind occurs in a seeded graph, as do annealing, recall and a declared peer", () => {
  const nodes = graphs.flatMap((graph) => graph.nodes);
  expect(new Set(nodes.map(({ kind }) => kind))).toEqual(new Set(Object.keys(NODE_KINDS)));
  const options = nodes.flatMap((node) => (node.kind === "agent" ? [node.config] : []));
  expect(options.some(({ annealing }) => annealing !== undefined)).toBe(true);
  expect(options.some(({ recall }) => recall !== undefined)).toBe(true);
  expect(options.some(({ swarm }) => swarm !== undefined)).toBe(true);
});

test.each(graphs.map((graph) => [graph.id, graph] as const))("%s is legible: few nodes, no overlaps", (_id, graph) => {
  expect(graph.nodes.length).toBeLessThanOrEqual(17);
  for (const [index, { position: a }] of graph.nodes.entries()) {
    for (const { position: b } of graph.nodes.slice(index + 1))
      expect(Math.max(Math.abs(a.x - b.x) / 250, Math.abs(a.y - b.y) / 80)).toBeGreaterThanOrEqual(1);
  }
});

test("the launcher labels the order whose card is declined", () => {
  expect(orderIdSchema.oneOf).toContainEqual({ const: "ord_2002", title: "ord_2002: the card is declined" });
});

test("every demo agent works in one of its graphs, under a unique id", () => {
  const ids = agents.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const text = JSON.stringify(graphs);
  expect(ids.filter((id) => !text.includes(`"${id}"`))).toEqual([]);
});

test.each([
  ["research-and-publish", "reviewed_article"],
  ["page-digest", "reviewed_digest"],
])("what %s publishes is read from %s, which only a judge can write", (graphId, key) => {
  const graph = graphs.find(({ id }) => id === graphId);
  const publish = graph?.nodes.find(({ id }) => id === "publish");
  const sources = publish?.kind === "tool" ? Object.values(publish.config.arguments) : [];
  expect(sources.map((source) => "from" in source && source.from.split(".")[0])).toEqual(Array(3).fill(key));
  expect(graph?.memory.find((memory) => memory.key === key)?.min_integrity).toBe("reviewed");
  expect(graph?.nodes.filter((node) => node.write_keys.includes(key)).map(({ kind }) => kind)).toEqual(["judge"]);
});
