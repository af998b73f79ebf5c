import * as fc from "fast-check";
import { expect, test } from "vitest";
import { arbitraryEdit, consistentGraph } from "@/lib/graph/arbitrary";
import { graphSchema, type Graph } from "@/lib/graph/document";
import { applyEdit } from "@/lib/graph/edit";
import { toCanonicalJson, type Json } from "@/lib/json";

const GUARDS = ["strict_taint", "max_iterations", "max_execution_time_ms", "max_token_budget", "budget_usd"] as const;
const guarded = fc.record({
  strict_taint: fc.constant(true),
  max_iterations: fc.integer({ min: 1, max: 100 }),
  max_execution_time_ms: fc.integer({ min: 1_000, max: 10_000 }),
  max_token_budget: fc.integer({ min: 0, max: 1_000 }),
  budget_usd: fc.constantFrom(0, 0.5, 2),
});
const guardsOf = (graph: Graph) => GUARDS.map((guard) => graph[guard]);

test("cycgraph: no change of nodes, edges or keys removes strict taint or a limit", () => {
  fc.assert(
    fc.property(consistentGraph, guarded, fc.array(arbitraryEdit, { maxLength: 8 }), (graph, guards, edits) => {
      const before: Graph = { ...graph, ...guards };
      const after = edits.filter(({ op }) => op !== "settings").reduce(applyEdit, before);
      expect(guardsOf(after)).toEqual(guardsOf(before));
    }),
  );
});

test("cycgraph: a graph survives saving and loading, settings included", () => {
  fc.assert(
    fc.property(consistentGraph, guarded, (graph, guards) => {
      const before: Graph = graphSchema.parse({ ...graph, ...guards });
      const saved = toCanonicalJson(JSON.parse(JSON.stringify(before)) as Json);
      const loaded = graphSchema.parse(JSON.parse(saved));
      expect(loaded).toEqual(before);
      expect(toCanonicalJson(JSON.parse(JSON.stringify(loaded)) as Json)).toBe(saved);
    }),
  );
});
