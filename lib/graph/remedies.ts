import { flowsIn } from "@/lib/graph/analyse";
import type { Flow } from "@/lib/graph/analyse/flows";
import { getSinkId } from "@/lib/graph/analyse/sinks";
import type { Graph } from "@/lib/graph/document";
import { applyEdit } from "@/lib/graph/edit";
import { collectFacts, type Facts, type ValidationContext } from "@/lib/graph/facts/facts";
import { listCandidateFixes } from "@/lib/graph/problems/flow-fixes";
import { getProblemId, type Fix, type Problem } from "@/lib/graph/problems/problem";
import { listProblems } from "@/lib/graph/validate";

/** One error has several wordings, and a longer path changes the nearest secret. */
const nameOf = (found: Problem): string => {
  if (found.node === undefined) return getProblemId(found);
  if (found.code === "untrusted_to_effect") return `ungated_effect:${found.node}`;

  return found.code === "secret_to_tool" ? `${found.code}:${found.node}` : getProblemId(found);
};

/** Collects errors regardless of wording. */
export const collectErrors = (facts: Facts): ReadonlySet<string> =>
  new Set(listProblems(facts).flatMap((found) => (found.severity === "error" ? [nameOf(found)] : [])));

const isOpen = (facts: Facts, { kind, sink }: Flow): boolean =>
  flowsIn(facts).flows.some((flow) => flow.kind === kind && flow.verdict === "open" && getSinkId(flow.sink) === getSinkId(sink));

/** Finds fixes of an open flow without new errors, least invasive first. */
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
