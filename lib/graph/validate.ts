/** The one validator: the canvas shows what it finds, the server refuses to publish while it finds errors. */
import { graphSchema } from "@/lib/graph/document";
import { checkProblems } from "@/lib/graph/problems/checks";
import { effectProblems } from "@/lib/graph/problems/effects";
import { factsOf, type Facts, type ValidationContext } from "@/lib/graph/problems/facts";
import { flowProblems } from "@/lib/graph/problems/flow";
import { grantProblems } from "@/lib/graph/problems/grants";
import { identityProblems } from "@/lib/graph/problems/identity";
import { isolationProblems } from "@/lib/graph/problems/isolation";
import { judgeProblems } from "@/lib/graph/problems/judges";
import { limitProblems } from "@/lib/graph/problems/limits";
import { outsideProblems } from "@/lib/graph/problems/outside";
import type { Problem } from "@/lib/graph/problems/problem";
import { reachProblems } from "@/lib/graph/problems/reach";
import { registryProblems } from "@/lib/graph/problems/registry";
import { reviewProblems } from "@/lib/graph/problems/reviews";
import { routeProblems } from "@/lib/graph/problems/routes";
import { ruleProblems } from "@/lib/graph/problems/rules";
import { secretProblems } from "@/lib/graph/problems/secrets";
import { shapeProblems } from "@/lib/graph/problems/shape";
import { subgraphProblems } from "@/lib/graph/problems/subgraphs";
import { workerProblems } from "@/lib/graph/problems/workers";

const FAMILIES: readonly ((facts: Facts) => Problem[])[] = [
  identityProblems,
  reachProblems,
  routeProblems,
  limitProblems,
  grantProblems,
  registryProblems,
  workerProblems,
  judgeProblems,
  reviewProblems,
  ruleProblems,
  isolationProblems,
  checkProblems,
  outsideProblems,
  subgraphProblems,
  effectProblems,
  flowProblems,
  secretProblems,
];

/** For callers that have the facts. @returns problems, errors first */
export const problemsIn = (facts: Facts): Problem[] =>
  FAMILIES.flatMap((family) => family(facts)).toSorted((a, b) => Number(a.severity === "warning") - Number(b.severity === "warning"));

/**
 * All problems of a document, errors first. Pure, calls nothing, and never throws whatever the document is.
 * @param document any value; one that is no graph yields only `shape` problems
 */
export const validateGraph = (document: unknown, context: ValidationContext): Problem[] => {
  const parsed = graphSchema.safeParse(document);

  return parsed.success ? problemsIn(factsOf(parsed.data, context)) : shapeProblems(document, parsed.error.issues);
};

export const hasErrors = (problems: readonly Problem[]): boolean => problems.some((found) => found.severity === "error");
