/**
 * What could happen, read off the graph alone: the canvas draws it, publishing refuses by it, the inbox and the registry
 * quote it. Pure, calls nothing, never throws.
 */
import { computeBlastRadiusFor, type BlastRadius, type Subject } from "@/lib/graph/analyse/blast";
import {
  findConfidentialFlows,
  findUntrustedFlows,
  spreadUntrusted,
  type Confidential,
  type Flow,
  type RawFlow,
  type Source,
} from "@/lib/graph/analyse/flows";
import { buildModel, listPromotionsOf, type Site } from "@/lib/graph/analyse/model";
import { REVIEWED } from "@/lib/graph/analyse/sinks";
import type { Spread } from "@/lib/graph/analyse/spread";
import { judgeFlow } from "@/lib/graph/analyse/verdict";
import type { Graph } from "@/lib/graph/document";
import type { Integrity } from "@/lib/graph/label";
import { collectFacts, type Facts, type ValidationContext } from "@/lib/graph/problems/facts";

export type AnalysisOptions = {
  /** Whether the launch form is filled in by an outsider; input of a signed-in person is trusted. */
  readonly untrustedInputs?: boolean;
};

export type Analysis = {
  /** One for each sink that something untrusted, secret or personal can reach: the nearest source at its worst. */
  readonly flows: readonly Flow[];
  /** Costs as much as one flow analysis each time. A subject that the graph does not have reaches nothing. */
  readonly blastRadius: (subject: Subject) => BlastRadius;
};

/** Computed once for the same facts, which problems, zones and flows of one document are all read from. */
const once = <T>(make: (facts: Facts) => T): ((facts: Facts) => T) => {
  const known = new WeakMap<Facts, { readonly made: T }>();

  return (facts) => {
    const found = known.get(facts) ?? { made: make(facts) };
    known.set(facts, found);

    return found.made;
  };
};

const modelIn = once(buildModel);
const spreadIn = once((facts) => spreadUntrusted(facts, modelIn(facts), false));
const confidedIn = once((facts) => findConfidentialFlows(facts, modelIn(facts)));

const judged = (facts: Facts, flows: readonly RawFlow[]): readonly Flow[] =>
  flows.map((flow) => ({ ...flow, verdict: judgeFlow(facts, flow, confidedIn(facts)) }));

/**
 * For rules that have their facts already.
 * @returns `confided`: the nodes that are told something secret or personal; `worded`: calls that tell the outside free text
 */
export const flowsIn: (facts: Facts) => Omit<Confidential, "flows"> & { readonly flows: readonly Flow[] } = once((facts) => {
  const { flows, ...told } = confidedIn(facts);

  return { flows: judged(facts, [...findUntrustedFlows(facts, modelIn(facts), spreadIn(facts)), ...flows]), ...told };
});

/** At its worst over all runs. What is promoted counts as reviewed wherever it came from. */
const integrityAt = ({ node }: Site, at: number, reached: Spread<Source>): Integrity => {
  if (listPromotionsOf(node).length > 0) return "reviewed";
  const said = reached.markAt(at, "output");
  if (said === undefined) return "trusted";

  return said.level < REVIEWED ? "untrusted" : "reviewed";
};

/**
 * How far what each node writes to memory may be trusted, at its worst over all runs.
 * @returns an entry for each node that the run can reach and that writes something
 */
export const computeIntegrities = (facts: Facts): ReadonlyMap<string, Integrity> => {
  const reached = spreadIn(facts);

  return new Map(
    modelIn(facts).sites.flatMap((site, at) =>
      (facts.access.get(site.node.id)?.writes ?? []).length === 0 ? [] : [[site.node.id, integrityAt(site, at, reached)] as const],
    ),
  );
};

/** The blast radius, for callers that have the facts. */
export const computeBlast = (facts: Facts, subject: Subject): BlastRadius => computeBlastRadiusFor(facts, modelIn(facts), subject);

/** Work and memory grow with nodes x memory paths, of which at most 256 are told apart (else only their keys). */
export const analyse = (graph: Graph, context: ValidationContext, options: AnalysisOptions = {}): Analysis => {
  const facts = collectFacts(graph, context);
  const model = modelIn(facts);
  const outside = () => findUntrustedFlows(facts, model, spreadUntrusted(facts, model, true));
  const flows = options.untrustedInputs === true ? judged(facts, [...outside(), ...confidedIn(facts).flows]) : flowsIn(facts).flows;

  return { flows, blastRadius: (subject) => computeBlast(facts, subject) };
};
