import { compileExpression, type Scope } from "@/lib/graph/condition";
import { oncePer } from "@/lib/once-per";
import type { GraphEdge, GraphNode, PublishedGraph } from "@/lib/graph/document";
import { getDeclared } from "@/lib/graph/facts/declared";
import { isGranted } from "@/lib/graph/path";
import { CLEAN, joinLabels, type Label } from "@/lib/graph/label";
import type { Json } from "@/lib/json";
import { getVariables } from "@/lib/engine/environment";
import { isDriven, type Ahead } from "@/lib/engine/decide/settle";
import { findAside, findCellsAtPath, findLabelAt, getKnownValue, type Cell, type RunState } from "@/lib/engine/state";
import { buildView } from "@/lib/engine/view";

export type Way =
  /** Null: path declared by configuration. */
  | { readonly to: string; readonly edge: string | null }
  /** Open edges of an externally driven run. */
  | { readonly open: readonly Ahead[] }
  | { readonly end: true }
  | { readonly failed: "route_failed" | "route_missing" };

/** `looked`: cells among the influences. */
export type Route = { readonly way: Way; readonly label: Label; readonly looked: readonly Cell[] };

/** `managed`: nodes that only a choice reaches. */
export type Choice = {
  readonly to: string | null;
  readonly label: Label;
  readonly looked: readonly Cell[];
  readonly managed: readonly string[];
};

/** Tool answers may have any keys. */
const cellsOfReads = (state: RunState, paths: readonly (readonly string[])[]): readonly Cell[] => [
  ...new Set(paths.flatMap((path) => findCellsAtPath(state.cells, path))),
];

type Taken = { readonly verdict: "yes" | "no" | "error"; readonly looked: readonly Cell[]; readonly label: Label };

const textsOf = (value: Json | undefined): string[] => (Array.isArray(value) ? value.filter((item) => typeof item === "string") : []);

type Sight = Required<Pick<Scope, "declared" | "labelAt">> & { readonly memory: () => Scope["memory"] };

const declaredGrants = oncePer((node: GraphNode): readonly string[] => [...node.read_keys, ...node.write_keys]);

/** Conditions read the node's declared reads and writes only. */
const declaredView = (published: PublishedGraph, state: RunState, source: string): Sight => {
  const node = published.graph.nodes.find((candidate) => candidate.id === source);
  const grants = node ? declaredGrants(node) : [];
  let memory: Scope["memory"] | null = null;

  return {
    memory: () => (memory ??= buildView(published.graph, state, grants)),
    declared: getDeclared(published.graph),
    labelAt: (path) => (isGranted(grants, path) ? findLabelAt(state, path) : undefined),
  };
};

const NO_MEMORY: Scope["memory"] = {};

const evaluate = (edge: GraphEdge, state: RunState, { memory, declared, labelAt }: Sight): Taken => {
  if (edge.condition === undefined) return { verdict: "yes", looked: [], label: CLEAN };
  const compiled = compileExpression(edge.condition);
  if (!compiled.ok) return { verdict: "error", looked: [], label: CLEAN };
  const reads: (readonly string[])[] = [];
  const goal = findAside(state, "$goal").at(-1);
  const constraints = findAside(state, "$constraints").at(-1);
  const goalText = getKnownValue(goal);
  const result = compiled.value.evaluate(
    {
      memory: compiled.value.keys?.length === 0 ? NO_MEMORY : memory(),
      declared,
      labelAt,
      goal: typeof goalText === "string" ? goalText : "",
      constraints: textsOf(getKnownValue(constraints)),
      run: { iteration_count: state.iterationCount, retry_count: state.retryCount },
      env: getVariables(state),
    },
    (path) => reads.push(path),
  );
  const looked = cellsOfReads(state, reads);
  const asked = [edge.condition.includes("goal") ? goal : undefined, edge.condition.includes("constraints") ? constraints : undefined];
  // Attempts and path length depend on everything so far.
  const counted = /\brun\b/u.test(edge.condition) ? [...state.aside, ...state.cells] : [];
  const label = joinLabels([...looked, ...counted, ...asked.filter((cell) => cell !== undefined)].map((cell) => cell.label));
  if (!result.ok) return { verdict: "error", looked, label };

  return { verdict: result.value === true ? "yes" : "no", looked, label };
};

/** False conditions influence the route too; errors are not `false`. */
export const routeFrom = (published: PublishedGraph, state: RunState, node: string, choice: Choice | null = null): Route => {
  const driven = isDriven(published, state);
  const { graph } = published;
  const outgoing = graph.edges.filter((edge) => edge.source === node && choice?.managed.includes(edge.target) !== true);
  let decided: Label = choice?.label ?? CLEAN;
  const looked = new Set<Cell>(choice?.looked);
  const route = (way: Way): Route => ({ way, label: decided, looked: [...looked] });
  if (choice && choice.to !== null) {
    const drawn = graph.edges.find((edge) => edge.source === node && edge.target === choice.to);

    return route({ to: choice.to, edge: drawn?.id ?? null });
  }
  const sight = declaredView(published, state, node);
  const open: Ahead[] = [];
  for (const edge of outgoing.filter((candidate) => candidate.kind === "normal")) {
    const taken = evaluate(edge, state, sight);
    decided = joinLabels([decided, taken.label]);
    for (const cell of taken.looked) looked.add(cell);
    // After an open edge, failing conditions count as closed.
    if (taken.verdict === "error" && open.length === 0) return route({ failed: "route_failed" });
    if (taken.verdict !== "yes") continue;
    if (!driven) return route({ to: edge.target, edge: edge.id });
    open.push({ node: edge.target, edge: edge.id });
  }
  if (open.length > 0) return route({ open });
  const fallback = outgoing.find((edge) => edge.kind === "default");
  if (fallback) return route({ to: fallback.target, edge: fallback.id });

  return route(graph.end_nodes.includes(node) ? { end: true } : { failed: "route_missing" });
};

export const evaluateConditions = (
  published: PublishedGraph,
  state: RunState,
  node: string,
): readonly { readonly edge: GraphEdge; readonly verdict: Taken["verdict"] }[] => {
  const sight = declaredView(published, state, node);
  const conditional = published.graph.edges.filter((edge) => edge.source === node && edge.kind === "normal");

  return conditional.map((edge) => ({ edge, verdict: evaluate(edge, state, sight).verdict }));
};

export const findErrorEdge = (published: PublishedGraph, node: string, timedOut: boolean): GraphEdge | undefined => {
  const outgoing = published.graph.edges.filter((edge) => edge.source === node);

  return (timedOut ? outgoing.find((edge) => edge.kind === "timeout") : undefined) ?? outgoing.find((edge) => edge.kind === "error");
};

export const isFailureRoute = (published: PublishedGraph, way: Way): boolean =>
  "to" in way && published.graph.edges.some(({ id, kind }) => id === way.edge && (kind === "error" || kind === "timeout"));
