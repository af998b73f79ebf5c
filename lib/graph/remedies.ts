/** The fixes of one flow that were tried on the document and did what they say. */
import { flowsIn } from "@/lib/graph/analyse";
import type { Flow } from "@/lib/graph/analyse/flows";
import { getSinkId } from "@/lib/graph/analyse/sinks";
import type { Graph } from "@/lib/graph/document";
import { applyEdit } from "@/lib/graph/edit";
import { collectFacts, type Facts, type ValidationContext } from "@/lib/graph/problems/facts";
import { listCandidateFixes } from "@/lib/graph/problems/flow-fixes";
import { getProblemId, type Fix, type Problem } from "@/lib/graph/problems/problem";
import { listProblems } from "@/lib/graph/validate";

/**
 * An effect without any gate is said to be ungated, and with one that does not help, to be shaped by what is untrusted. Of
 * what is told to a tool that is not cleared for it, the nearest secret is named, and a step more on a way makes another one nearest.
 */
const nameOf = (found: Problem): string => {
  if (found.node === undefined) return getProblemId(found);
  if (found.code === "untrusted_to_effect") return `ungated_effect:${found.node}`;

  return found.code === "secret_to_tool" ? `${found.code}:${found.node}` : getProblemId(found);
};

/** Names of the errors of a graph: one that is only worded otherwise has the same name. */
export const collectErrors = (facts: Facts): ReadonlySet<string> =>
  new Set(listProblems(facts).flatMap((found) => (found.severity === "error" ? [nameOf(found)] : [])));

/** Whether a flow of the kind still reaches the sink without an approval. */
const isOpen = (facts: Facts, { kind, sink }: Flow): boolean =>
  flowsIn(facts).flows.some((flow) => flow.kind === kind && flow.verdict === "open" && getSinkId(flow.sink) === getSinkId(sink));

/**
 * What takes an open flow away and brings no error that was not there. Each candidate costs as much as one validation.
 * @returns the one that keeps most of the graph first; nothing for a flow that is not open
 */
export const findRemedies = (graph: Graph, context: ValidationContext, flow: Flow): readonly Fix[] => {
  if (flow.verdict !== "open") return [];
  const facts = collectFacts(graph, context);
  const candidates = listCandidateFixes(facts, flow);
  const known = collectErrors(facts);

  return candidates.filter((fix) => {
    const after = collectFacts(fix.edits.reduce(applyEdit, graph), context);

    return !isOpen(after, flow) && [...collectErrors(after)].every((error) => known.has(error));
  });
};
