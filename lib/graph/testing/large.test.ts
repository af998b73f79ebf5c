import { expect, test } from "vitest";
import { collectFindings } from "@/lib/graph/findings";
import { LARGE_CONTEXT, largeGraph } from "@/lib/graph/testing/large";

test.each([
  { nodes: 500, edges: 750 },
  { nodes: 1_000, edges: 1_500 },
])("a large graph of $nodes nodes is the same from the same seed, of the size asked for, and there is something to find in it", (size) => {
  const graph = largeGraph({ seed: 1, ...size });
  expect([graph.nodes.length, graph.edges.length]).toEqual([size.nodes, size.edges]);
  expect(largeGraph({ seed: 1, ...size })).toEqual(graph);
  expect(largeGraph({ seed: 2, ...size })).not.toEqual(graph);
  const { problems, flows } = collectFindings(graph, LARGE_CONTEXT);
  const codes = new Set(problems.map(({ code }) => code));
  expect(codes).toContain("ungated_effect");
  expect(codes).not.toContain("agent_unknown");
  expect(flows.length).toBeGreaterThan(100);
});
