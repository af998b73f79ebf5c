/**
 * What could happen, read off the graph alone: the canvas draws it, publishing refuses by it, the inbox and the registry
 * quote it. Pure, calls nothing, never throws.
 */
import { blastRadius, type BlastRadius, type Subject } from "@/lib/graph/analyse/blast";
import { confidentialFlows, untrustedFlows, untrustedSpread, type Flow, type Source } from "@/lib/graph/analyse/flows";
import { modelOf, promotionsOf, type Model, type Site } from "@/lib/graph/analyse/model";
import { REVIEWED } from "@/lib/graph/analyse/sinks";
import type { Spread } from "@/lib/graph/analyse/spread";
import type { Graph } from "@/lib/graph/document";
import type { Integrity } from "@/lib/graph/label";
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

/** At its worst over all runs. What is promoted counts as reviewed wherever it came from. */
const integrityAt = ({ node }: Site, at: number, reached: Spread<Source>): Integrity => {
  if (promotionsOf(node).length > 0) return "reviewed";
  const said = reached.markAt(at, "output");
  if (said === undefined) return "trusted";

  return said.level < REVIEWED ? "untrusted" : "reviewed";
};

/**
 * How far what each node writes to memory may be trusted, at its worst over all runs.
 * @returns an entry for each node that the run can reach and that writes something
 */
export const integritiesIn = (graph: Graph, context: ValidationContext): ReadonlyMap<string, Integrity> => {
  const facts = factsOf(graph, context);
  const model = modelOf(facts);
  const reached = untrustedSpread(facts, model, false);

  return new Map(
    model.sites.flatMap((site, at) =>
      (facts.access.get(site.node.id)?.writes ?? []).length === 0 ? [] : [[site.node.id, integrityAt(site, at, reached)] as const],
    ),
  );
};

/** Work and memory grow with nodes x memory paths, of which at most 256 are told apart (else only their keys). */
export const analyse = (graph: Graph, context: ValidationContext, options: AnalysisOptions = {}): Analysis => {
  const facts = factsOf(graph, context);
  const model = modelOf(facts);

  return { flows: flowsOf(facts, model, options).flows, blastRadius: (subject) => blastRadius(facts, model, subject) };
};
