/** Everything that is said about a draft while it is drawn, computed in one go: what the canvas shows and publishing decides by. */
import { analyse, integritiesIn } from "@/lib/graph/analyse";
import type { Flow } from "@/lib/graph/analyse/flows";
import type { Graph } from "@/lib/graph/document";
import type { Integrity } from "@/lib/graph/label";
import type { ValidationContext } from "@/lib/graph/problems/facts";
import type { Problem } from "@/lib/graph/problems/problem";
import { validateGraph } from "@/lib/graph/validate";

export type Findings = {
  readonly problems: readonly Problem[];
  /** How far what each node writes may be trusted, at its worst. */
  readonly zones: ReadonlyMap<string, Integrity>;
  /** What reaches a place where it matters, with its way and whoever stands on it. */
  readonly flows: readonly Flow[];
};

export const NO_FINDINGS: Findings = { problems: [], zones: new Map(), flows: [] };

/** Pure, calls nothing. A structured clone of the answer is the answer, so that it can come from a worker. */
export const findingsOf = (document: Graph, context: ValidationContext): Findings => ({
  problems: validateGraph(document, context),
  zones: integritiesIn(document, context),
  flows: analyse(document, context).flows,
});
