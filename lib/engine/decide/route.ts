/** Where the run goes when a node is done: the first edge whose condition is exactly true, else the default edge. */
import { compileExpression } from "@/lib/graph/condition";
import type { GraphEdge, PublishedGraph } from "@/lib/graph/document";
import { CLEAN, joinLabels, type Label } from "@/lib/graph/label";
import { pathText } from "@/lib/graph/path";
import { asideAt, cellsAt, knownValue, memoryOf, type RunState } from "@/lib/engine/state";

export type Route =
  | { readonly to: string; readonly edge: string; readonly label: Label }
  | { readonly end: true; readonly label: Label }
  | { readonly failed: "route_failed" | "route_missing"; readonly label: Label };

/** The labels of all memory that a condition looked at. */
const labelOfReads = (state: RunState, paths: readonly (readonly string[])[]): Label =>
  joinLabels(
    paths.flatMap((path) => (path.length === 0 ? state.cells : cellsAt(state.cells, pathText(path))).map((cell) => cell.label)),
  );

type Taken = { readonly verdict: "yes" | "no" | "error"; readonly label: Label };

const evaluate = (edge: GraphEdge, state: RunState): Taken => {
  if (edge.condition === undefined) return { verdict: "yes", label: CLEAN };
  const compiled = compileExpression(edge.condition);
  if (!compiled.ok) return { verdict: "error", label: CLEAN };
  const reads: (readonly string[])[] = [];
  const goal = asideAt(state, "$goal").at(-1);
  const goalText = knownValue(goal);
  const result = compiled.value.evaluate(
    {
      memory: memoryOf(state.cells),
      goal: typeof goalText === "string" ? goalText : "",
      constraints: [],
      run: { iteration_count: state.iterationCount, retry_count: state.retryCount },
    },
    (path) => reads.push(path),
  );
  const asked = edge.condition.includes("goal") && goal ? [goal.label] : [];
  const label = joinLabels([labelOfReads(state, reads), ...asked]);
  if (!result.ok) return { verdict: "error", label };

  return { verdict: result.value === true ? "yes" : "no", label };
};

/**
 * The way on from a node that is done. Every condition looked at on the way is part of the control label, the ones that
 * said no included: not going somewhere is a choice too. An evaluation error is not `false`.
 */
export const routeFrom = (published: PublishedGraph, state: RunState, node: string): Route => {
  const { graph } = published;
  const outgoing = graph.edges.filter((edge) => edge.source === node);
  const normal = outgoing.filter((edge) => edge.kind === "normal");
  let label = state.controlLabel;
  for (const edge of normal) {
    const taken = evaluate(edge, state);
    label = joinLabels([label, taken.label]);
    if (taken.verdict === "error") return { failed: "route_failed", label };
    if (taken.verdict === "yes") return { to: edge.target, edge: edge.id, label };
  }
  const fallback = outgoing.find((edge) => edge.kind === "default");
  if (fallback) return { to: fallback.target, edge: fallback.id, label };

  return graph.end_nodes.includes(node) ? { end: true, label } : { failed: "route_missing", label };
};

/** The way on from a node that failed for good. */
export const errorEdge = (published: PublishedGraph, node: string, timedOut: boolean): GraphEdge | undefined => {
  const outgoing = published.graph.edges.filter((edge) => edge.source === node);

  return (timedOut ? outgoing.find((edge) => edge.kind === "timeout") : undefined) ?? outgoing.find((edge) => edge.kind === "error");
};
