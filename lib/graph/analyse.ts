/** Static analysis: flows, integrity and blast radius. Never throws. */
import { oncePer } from "@/lib/once-per";
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
import { isFromOutside } from "@/lib/graph/triggers/trigger";
import { collectFacts, type Facts, type ValidationContext } from "@/lib/graph/facts/facts";

export type AnalysisOptions = {
  /** An outsider fills the launch form; signed-in people are trusted. */
  readonly untrustedInputs?: boolean;
};

export type Analysis = {
  /** The worst per sink, from the first source that reaches its nearest one. */
  readonly flows: readonly Flow[];
  /** Costs one flow analysis; unknown subjects reach nothing. */
  readonly blastRadius: (subject: Subject) => BlastRadius;
};

// Problems, zones and flows share the facts of a document.
const modelIn = oncePer(buildModel);
/** The sender of an event counts as hostile. */
const spreadIn = oncePer((facts: Facts) =>
  spreadUntrusted(facts, modelIn(facts), facts.graph.external === undefined && (facts.graph.triggers ?? []).some(isFromOutside)),
);
const confidedIn = oncePer((facts: Facts) => findConfidentialFlows(facts, modelIn(facts)));

const judged = (facts: Facts, flows: readonly RawFlow[]): readonly Flow[] =>
  flows.map((flow) => ({ ...flow, verdict: judgeFlow(facts, flow, confidedIn(facts)) }));

/** Returns flows, nodes with confidential data (`confided`) and calls that send free text out (`worded`). */
export const flowsIn: (facts: Facts) => Omit<Confidential, "flows"> & { readonly flows: readonly Flow[] } = oncePer((facts) => {
  const { flows, ...told } = confidedIn(facts);

  return { flows: judged(facts, [...findUntrustedFlows(facts, modelIn(facts), spreadIn(facts)), ...flows]), ...told };
});

/** Promoted values count as reviewed. */
const integrityAt = ({ node }: Site, at: number, reached: Spread<Source>): Integrity => {
  if (listPromotionsOf(node).length > 0) return "reviewed";
  const said = reached.markAt(at, "output");
  if (said === undefined) return "trusted";

  return said.level < REVIEWED ? "untrusted" : "reviewed";
};

/** Computes each reachable node's worst write integrity. */
export const computeIntegrities = (facts: Facts): ReadonlyMap<string, Integrity> => {
  const reached = spreadIn(facts);

  return new Map(
    modelIn(facts).sites.flatMap((site, at) =>
      (facts.access.get(site.node.id)?.writes ?? []).length === 0 ? [] : [[site.node.id, integrityAt(site, at, reached)] as const],
    ),
  );
};

export const computeBlast = (facts: Facts, subject: Subject): BlastRadius => computeBlastRadiusFor(facts, modelIn(facts), subject);

/** Analyses a graph in nodes x memory paths; beyond 256, only keys are distinct. */
export const analyse = (graph: Graph, context: ValidationContext, options: AnalysisOptions = {}): Analysis => {
  const facts = collectFacts(graph, context);
  const model = modelIn(facts);
  const outside = () => findUntrustedFlows(facts, model, spreadUntrusted(facts, model, true));
  const flows = options.untrustedInputs === true ? judged(facts, [...outside(), ...confidedIn(facts).flows]) : flowsIn(facts).flows;

  return { flows, blastRadius: (subject) => computeBlast(facts, subject) };
};
