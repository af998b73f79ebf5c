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

const onTheCanvas = (document: Json): readonly Problem[] =>
  problemsIn(structuredClone(createAnalyst()(structuredClone({ document, context: catalog }))));

const place = ({ code, node, edge, key, severity }: Problem) => [code, severity, node, edge, key];

test("200 invalid documents: the same problems at the same places on canvas and server", async () => {
  const codes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(invalidDocument(catalog), async (document) => {
      const { problems } = await graphs.check({ document });
      expect(onTheCanvas(document).map(place)).toEqual(problems.map(place));
      for (const { code } of problems) codes.add(code);
    }),
    { numRuns: 200 },
  );
  // Fewer codes would prove nothing.
  expect(codes.size).toBeGreaterThan(20);
  expect(codes).toContain("shape");
  // Each is a separate request.
}, 90_000);

test("rejects too large or deep documents before reading them", async () => {
  let deep: Json = 1;
  for (let at = 0; at < 100; at += 1) deep = [deep];
  await expect(graphs.check({ document: deep })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  await expect(graphs.check({ document: "x".repeat(5_000_000) })).rejects.toMatchObject({ code: "BAD_REQUEST" });
});

test("the catalog names the rules that the server checks by", async () => {
  const { bundle } = await graphs.check({ document: null });
  expect(bundle).toBe(catalog.bundle);
  expect(createAnalyst()({ document: null, context: catalog })).toMatchObject({ bundle });
});
