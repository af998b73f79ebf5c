import { graphSchema } from "@/lib/graph/document";
import { findApproverProblems } from "@/lib/graph/problems/approvers";
import { checkProblems } from "@/lib/graph/problems/checks";
import { findEffortProblems } from "@/lib/graph/problems/effort";
import { findEffectProblems } from "@/lib/graph/problems/effects";
import { collectFacts, type Facts, type ValidationContext } from "@/lib/graph/facts/facts";
import { findExpressionProblems } from "@/lib/graph/problems/expressions";
import { findFlowProblems } from "@/lib/graph/problems/flow";
import { findCeilingProblems } from "@/lib/graph/problems/ceilings";
import { grantProblems } from "@/lib/graph/problems/grants";
import { findIdentityProblems } from "@/lib/graph/problems/identity";
import { findIsolationProblems } from "@/lib/graph/problems/isolation";
import { judgeProblems } from "@/lib/graph/problems/judges";
import { limitProblems } from "@/lib/graph/problems/limits";
import { findOutsideProblems } from "@/lib/graph/problems/outside";
import type { Problem } from "@/lib/graph/problems/problem";
import { findReachProblems } from "@/lib/graph/problems/reach";
import { findRegistryProblems } from "@/lib/graph/problems/registry";
import { reviewProblems } from "@/lib/graph/problems/reviews";
import { routeProblems } from "@/lib/graph/problems/routes";
import { findRuleProblems } from "@/lib/graph/problems/rules";
import { findSecretProblems } from "@/lib/graph/problems/secrets";
import { findShapeProblems } from "@/lib/graph/problems/shape";
import { findStandingProblems } from "@/lib/graph/problems/standing";
import { findSubgraphProblems } from "@/lib/graph/problems/subgraphs";
import { findTextProblems } from "@/lib/graph/problems/texts";
import { findTriggerProblems } from "@/lib/graph/problems/triggers";
import { findWorkerProblems } from "@/lib/graph/problems/workers";

const FAMILIES: readonly ((facts: Facts) => Problem[])[] = [
  findIdentityProblems,
  findReachProblems,
  routeProblems,
  limitProblems,
  grantProblems,
  findExpressionProblems,
  findCeilingProblems,
  findRegistryProblems,
  findStandingProblems,
  findEffortProblems,
  findApproverProblems,
  findWorkerProblems,
  judgeProblems,
  reviewProblems,
  findRuleProblems,
  findIsolationProblems,
  checkProblems,
  findOutsideProblems,
  findTriggerProblems,
  findSubgraphProblems,
  findEffectProblems,
  findFlowProblems,
  findSecretProblems,
  findTextProblems,
];

export const listProblems = (facts: Facts): Problem[] =>
  FAMILIES.flatMap((family) => family(facts)).toSorted((a, b) => Number(a.severity === "warning") - Number(b.severity === "warning"));

/** Validates any value, errors first; never throws. */
export const validateGraph = (document: unknown, context: ValidationContext): Problem[] => {
  const parsed = graphSchema.safeParse(document);

  return parsed.success ? listProblems(collectFacts(parsed.data, context)) : findShapeProblems(document, parsed.error.issues);
};

export const hasErrors = (problems: readonly Problem[]): boolean => problems.some((found) => found.severity === "error");
