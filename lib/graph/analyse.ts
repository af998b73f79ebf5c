/**
 * What could happen, read off the graph alone: the canvas draws it, publishing refuses by it, the inbox and the registry
 * quote it. Pure, calls nothing, never throws.
 */
import { blastRadius, type BlastRadius, type Subject } from "@/lib/graph/analyse/blast";
import { confidentialFlows, untrustedFlows, type Flow } from "@/lib/graph/analyse/flows";
import { modelOf, type Model } from "@/lib/graph/analyse/model";
import type { Graph } from "@/lib/graph/document";
import { factsOf, type Facts, type ValidationContext } from "@/lib/graph/problems/facts";

export type AnalysisOptions = {
  /** Whether the launch form is filled by somebody who is not one of us; a signed-in person's words are trusted. */
  readonly untrustedInputs?: boolean;
};

export type Analysis = {
  /** One for each sink that something untrusted, secret or personal can reach: the nearest source at its worst. */
  readonly flows: readonly Flow[];
  /** Costs as much as one flow analysis each time. A subject that the graph does not have reaches nothing. */
  readonly blastRadius: (subject: Subject) => BlastRadius;
};

const flowsOf = (facts: Facts, model: Model, options: AnalysisOptions) => {
  const { flows, confided } = confidentialFlows(facts, model);

  return { flows: [...untrustedFlows(facts, model, options.untrustedInputs === true), ...flows], confided };
};

/**
 * For rules that have their facts already.
 * @returns `confided`: the nodes that are told something secret or personal
 */
export const flowsIn = (facts: Facts): { readonly flows: readonly Flow[]; readonly confided: ReadonlySet<string> } =>
  flowsOf(facts, modelOf(facts), {});

/** Work and memory grow with nodes x memory paths, of which at most 256 are told apart (else only their keys). */
export const analyse = (graph: Graph, context: ValidationContext, options: AnalysisOptions = {}): Analysis => {
  const facts = factsOf(graph, context);
  const model = modelOf(facts);

  return { flows: flowsOf(facts, model, options).flows, blastRadius: (subject) => blastRadius(facts, model, subject) };
};
