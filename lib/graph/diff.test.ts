import { assert, property } from "fast-check";
import { expect, test } from "vitest";
import { consistentGraph } from "@/lib/graph/arbitrary";
import { diffGraphs } from "@/lib/graph/diff";
import { diffFields } from "@/lib/graph/diff-fields";
import { ZOO } from "@/lib/graph/testing/zoo";
import { graphSchema } from "@/lib/graph/document";

const zoo = graphSchema.parse(ZOO);

test("a graph does not differ from itself, nor from itself with its nodes elsewhere", () => {
  assert(
    property(consistentGraph, (graph) => {
      const moved = { ...graph, nodes: graph.nodes.map((node) => ({ ...node, position: { x: 7, y: 9 } })) };
      for (const other of [graph, moved]) {
        const { nodes, edges, memory, settings } = diffGraphs(graph, other);
        expect([nodes.size, edges.size, memory.size, settings]).toEqual([0, 0, 0, []]);
      }
    }),
    { numRuns: 100 },
  );
});

test("an addition one way is a removal the other way, and the drawing has both", () => {
  assert(
    property(consistentGraph, consistentGraph, (a, b) => {
      const there = diffGraphs(a, b);
      const back = diffGraphs(b, a);
      const turned = { added: "removed", removed: "added", changed: "changed" } as const;
      expect(new Map([...there.nodes].map(([id, mark]) => [id, turned[mark]]))).toEqual(back.nodes);
      expect(new Set(there.drawn.nodes.map(({ id }) => id))).toEqual(new Set([...a.nodes, ...b.nodes].map(({ id }) => id)));
    }),
    { numRuns: 100 },
  );
});

test("fields say both values, objects are gone into, and the position is none", () => {
  const [node] = zoo.nodes;
  const before = { ...node, title: "One", failure_policy: { attempts: 1, backoff: "fixed" } };
  const after = {
    ...node,
    title: "Two",
    failure_policy: { attempts: 2, backoff: "fixed" },
    budget: { max_tokens: 5 },
    position: { x: 99, y: 99 },
  };

  expect(diffFields(before, after)).toEqual([
    { field: "title", before: "One", after: "Two" },
    { field: "failure_policy.attempts", before: 1, after: 2 },
    { field: "budget", before: undefined, after: { max_tokens: 5 } },
  ]);
});

test("fields differ exactly where the marks say that a node has changed", () => {
  assert(
    property(consistentGraph, consistentGraph, (a, b) => {
      const { nodes } = diffGraphs(a, b);
      for (const node of b.nodes) {
        const old = a.nodes.find(({ id }) => id === node.id);
        const hasFields = old !== undefined && diffFields(old, node).length > 0;
        expect(hasFields).toBe(nodes.get(node.id) === "changed");
      }
    }),
    { numRuns: 100 },
  );
});
