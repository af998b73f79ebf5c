import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arbitraryGraph, consistentGraph } from "@/lib/graph/arbitrary";
import { agentSchema, graphSchema, pinnedToolSchema } from "@/lib/graph/document";
import { applyEdit } from "@/lib/graph/edit";
import { NODE_KINDS } from "@/lib/graph/kinds";
import { getProblemId } from "@/lib/graph/problems/problem";
import { hasErrors, validateGraph } from "@/lib/graph/validate";

const PARSER = agentSchema.parse({ id: "parser", name: "Parser", tools: [{ server: "customers", tool: "update_plan" }] });
const context = {
  agents: [PARSER],
  tools: [
    pinnedToolSchema.parse({
      server: "customers",
      tool: "update_plan",
      definition_digest: "0".repeat(64),
      description: "",
      input_schema: { type: "object", properties: { plan: {} }, required: ["plan"], additionalProperties: false },
      effect: "write",
      idempotent: false,
    }),
  ],
  versions: [],
};

describe("validateGraph", () => {
  test("never throws, whatever the document is", () => {
    fc.assert(
      fc.property(fc.anything(), (document) => {
        expect(hasErrors(validateGraph(document, context))).toBe(true);
      }),
    );
  });

  test("never throws on a well-formed document, however wrong it is", () => {
    fc.assert(
      fc.property(arbitraryGraph, (graph) => {
        expect(Array.isArray(validateGraph(graph, context))).toBe(true);
      }),
    );
  });

  test("answers the same for the same document", () => {
    fc.assert(
      fc.property(arbitraryGraph, (graph) => {
        expect(validateGraph(structuredClone(graph), context)).toEqual(validateGraph(graph, context));
      }),
      { numRuns: 50 },
    );
  });

  test("a quick fix removes the problem that it is offered for", () => {
    fc.assert(
      fc.property(consistentGraph, (graph) => {
        for (const found of validateGraph(graph, context)) {
          const fixed = found.fix?.edits.reduce(applyEdit, graph);
          if (!fixed || found.code === "loop") continue;
          const left = validateGraph(fixed, context).filter(
            (other) => getProblemId(other) === getProblemId(found) && other.message === found.message,
          );
          expect(left).toEqual([]);
        }
      }),
      { numRuns: 40 },
    );
  });
});

test("a document that the schema accepts is itself after it was written down and read again", () => {
  fc.assert(
    fc.property(arbitraryGraph, (graph) => {
      expect(graphSchema.parse(JSON.parse(JSON.stringify(graph)))).toEqual(graph);
    }),
  );
});

test("the generator makes graphs of every kind", () => {
  const seen = new Set(fc.sample(arbitraryGraph, { numRuns: 500, seed: 1 }).flatMap((graph) => graph.nodes.map((node) => node.kind)));
  expect([...seen].toSorted()).toEqual(Object.keys(NODE_KINDS).toSorted());
});
