/** All findings about a draft, computed at once: shown on the canvas, and checked by publishing. */
import { flowsIn, computeIntegrities } from "@/lib/graph/analyse";
import type { Flow } from "@/lib/graph/analyse/flows";
import { graphSchema } from "@/lib/graph/document";
import type { Integrity } from "@/lib/graph/label";
import { collectFacts, type ValidationContext } from "@/lib/graph/problems/facts";
import type { Problem } from "@/lib/graph/problems/problem";
import { findShapeProblems } from "@/lib/graph/problems/shape";
import { listProblems } from "@/lib/graph/validate";

export type Findings = {
  readonly problems: readonly Problem[];
  /** How far what each node writes may be trusted, at its worst. */
  readonly zones: ReadonlyMap<string, Integrity>;
  /** Flows that reach a sink, with their witness and gates. */
  readonly flows: readonly Flow[];
};

export const NO_FINDINGS: Findings = { problems: [], zones: new Map(), flows: [] };

/**
 * Pure, calls nothing, and never throws whatever the document is. A structured clone of the answer is the answer, so that it
 * can come from a worker.
 * @param document any value; one that is no graph yields only its `shape` problems
 */
export const collectFindings = (document: unknown, context: ValidationContext): Findings => {
  const parsed = graphSchema.safeParse(document);
  if (!parsed.success) return { ...NO_FINDINGS, problems: findShapeProblems(document, parsed.error.issues) };
  const facts = collectFacts(parsed.data, context);

  return { problems: listProblems(facts), zones: computeIntegrities(facts), flows: flowsIn(facts).flows };
};
