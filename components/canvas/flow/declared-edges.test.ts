import * as fc from "fast-check";
import { expect, test } from "vitest";
import { arbitraryGraph } from "@/lib/graph/arbitrary";
import { nodeSchema } from "@/lib/graph/document";
import { listDeclaredTargets } from "@/lib/graph/refs";
import { listDeclaredEdges } from "./declared-edges";

test("draws every declared target once with an arrow, and nothing else", () => {
  fc.assert(
    fc.property(arbitraryGraph, ({ nodes }) => {
      for (const node of nodes) {
        const drawn = listDeclaredEdges(node).filter((edge) => edge.markerEnd !== undefined);
        // Two branches of a node may share a target.
        expect([...new Set(drawn.map((edge) => edge.target))]).toEqual([...new Set(listDeclaredTargets(node))]);
        expect(new Set(drawn.map((edge) => edge.id)).size).toBe(drawn.length);
      }
    }),
  );
});

test("draws a worker with a line without an arrow", () => {
  const map = nodeSchema.parse({ id: "each", kind: "map", config: { worker_node: "work", items: { value: [] } } });
  expect(listDeclaredEdges(map)).toMatchObject([{ source: "each", target: "work", ariaLabel: "work runs for each, once per item" }]);
  expect(listDeclaredEdges(map)[0]).not.toHaveProperty("markerEnd");
});
