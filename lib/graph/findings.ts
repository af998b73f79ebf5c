import { flowsIn, computeIntegrities } from "@/lib/graph/analyse";
import type { Flow } from "@/lib/graph/analyse/flows";
import { graphSchema } from "@/lib/graph/document";
import type { Integrity } from "@/lib/graph/label";
import { collectFacts, type ValidationContext } from "@/lib/graph/facts/facts";
import type { Problem } from "@/lib/graph/problems/problem";
import { findShapeProblems } from "@/lib/graph/problems/shape";
import { listProblems } from "@/lib/graph/validate";

export type Findings = {
  readonly problems: readonly Problem[];
  /** Worst integrity of each node's writes. */
  readonly zones: ReadonlyMap<string, Integrity>;
  readonly flows: readonly Flow[];
};

export const NO_FINDINGS: Findings = { problems: [], zones: new Map(), flows: [] };

/** Collects findings on any value, structured-cloneable; never throws. */
export const collectFindings = (document: unknown, context: ValidationContext): Findings => {
  const parsed = graphSchema.safeParse(document);
  if (!parsed.success) return { ...NO_FINDINGS, problems: findShapeProblems(document, parsed.error.issues) };
  const facts = collectFacts(parsed.data, context);

  return { problems: listProblems(facts), zones: computeIntegrities(facts), flows: flowsIn(facts).flows };
};
