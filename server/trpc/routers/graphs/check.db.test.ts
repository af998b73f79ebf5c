import { randomUUID } from "node:crypto";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createAnalyst, type AnalystAnswer } from "@/lib/graph/analyst";
import { agentSchema } from "@/lib/graph/document";
import { NO_FINDINGS } from "@/lib/graph/findings";
import { withChange } from "@/lib/graph/findings-change";
import type { Problem } from "@/lib/graph/problems/problem";
import { invalidDocument } from "@/lib/graph/testing/invalid";
import type { Json } from "@/lib/json";
import { saveAgent } from "@/server/store/agents/agents";
import { callerAs } from "@/server/testing/caller";
import { testDatabase } from "@/server/testing/database";

await testDatabase("web");
const workspace = randomUUID();
const { graphs } = callerAs(workspace, "viewer");

await saveAgent(workspace, agentSchema.parse({ id: "parser", name: "Parser", permissions: { read_keys: ["request"] } }), null);
const catalog = await graphs.catalog();

const problemsIn = (answer: AnalystAnswer): readonly Problem[] => {
  if (answer.type === "failed") throw new Error("the analyst failed");

  return withChange(NO_FINDINGS, answer.change).problems;
};

/** As the worker answers: question and answer are cloned on their way. */
const onTheCanvas = (document: Json): readonly Problem[] =>
  problemsIn(structuredClone(createAnalyst()(structuredClone({ document, context: catalog }))));

const place = ({ code, node, edge, key, severity }: Problem) => [code, severity, node, edge, key];

test("200 invalid documents have the same problems at the same places on the canvas and on the server", async () => {
  const codes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(invalidDocument(catalog), async (document) => {
      const { problems } = await graphs.check({ document });
      expect(onTheCanvas(document).map(place)).toEqual(problems.map(place));
      for (const { code } of problems) codes.add(code);
    }),
    { numRuns: 200 },
  );
  // Otherwise the generator would be too tame to say anything.
  expect(codes.size).toBeGreaterThan(20);
  expect(codes).toContain("shape");
  // Each is a request of its own.
}, 90_000);

test("a document that is too large or too deep is refused before it is looked at", async () => {
  let deep: Json = 1;
  for (let at = 0; at < 100; at += 1) deep = [deep];
  await expect(graphs.check({ document: deep })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  await expect(graphs.check({ document: "x".repeat(5_000_000) })).rejects.toMatchObject({ code: "BAD_REQUEST" });
});

test("the catalog says which rules the server has, and they are those that it checks by", async () => {
  const { bundle } = await graphs.check({ document: null });
  expect(bundle).toBe(catalog.bundle);
  expect(createAnalyst()({ document: null, context: catalog })).toMatchObject({ bundle });
});
