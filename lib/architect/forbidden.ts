import { changesOutside } from "@/lib/architect/node-rights";
import { diffAuthority } from "@/lib/architect/authority-diff";
import { readAuthority } from "@/lib/architect/authority";
import { guardsOf } from "@/lib/architect/guards";
import type { Graph, GraphNode, NodeOf } from "@/lib/graph/document";
import { callsTool, isIdle, runsGraph } from "@/lib/graph/kind-of";
import { listSubgraphCalls } from "@/lib/graph/facts/children";
import { changesSomething, collectFacts, getNodeName, listTools, type Facts, type ValidationContext } from "@/lib/graph/facts/facts";
import { asksByItself, asksForCall, isModelCalled } from "@/lib/graph/facts/gates";
import type { Problem, ProblemCode } from "@/lib/graph/problems/problem";
import { buildPublishedGraph } from "@/lib/graph/publish";
import { FORBIDDEN_KEYS } from "@/lib/json";

export const ARCHITECT_LIMITS = {
  nodes: 60,
  edges: 180,
  memory: 60,
  max_iterations: 500,
  max_execution_time_ms: 86_400_000,
  max_token_budget: 2_000_000,
  budget_usd: 50,
} as const;

export type ForbiddenCode =
  | "wildcard"
  | "unbounded_loop"
  | "ungated_effect"
  | "beyond_limit"
  | "no_budget"
  | "reserved_name"
  | "loosened"
  | "unsound";

export type Forbidden = { readonly code: ForbiddenCode; readonly message: string; readonly node?: string };

const at = (code: ForbiddenCode, message: string, node?: string): Forbidden => ({ code, message, ...(node === undefined ? {} : { node }) });

const wildcards = ({ graph }: Facts): Forbidden[] => [
  ...graph.nodes
    .filter((node) => node.read_keys.includes("*") || node.write_keys.includes("*"))
    .map((node) => at("wildcard", `${getNodeName(node)} is granted everything (*). List each key that it reads and writes.`, node.id)),
  ...(graph.external?.read_keys.includes("*") ? [at("wildcard", "Outside agents may read everything (*). List each key.")] : []),
];

const LOOPS: readonly ProblemCode[] = ["loop", "self_edge", "endless_loop"];

const loops = (problems: readonly Problem[]): Forbidden[] =>
  problems
    .filter(({ code }) => LOOPS.includes(code))
    .map(({ node, edge }) =>
      at(
        "unbounded_loop",
        `The loop through ${node ?? edge ?? "the graph"} has no limit. Repeat only through a supervisor, an agent's peers or a review's rework, which have one.`,
        node,
      ),
    );

const isAsked = (node: GraphNode, gates: readonly NodeOf<"approval">[]): boolean =>
  asksByItself(node) || gates.some((gate) => !callsTool(node) || gate.config.for_node === node.id);

/** The engine asks about changes by models not trusted for the tool. */
const isAskedPerCall = (facts: Facts, node: GraphNode): boolean =>
  isModelCalled(node) && listTools(facts, node).every((tool) => !changesSomething(tool.effect) || asksForCall(facts, node, tool));

const isGatedInside = (facts: Facts, node: GraphNode): boolean => {
  const calls = listSubgraphCalls(facts, node).filter(({ tool }) => changesSomething(tool.effect));

  return runsGraph(node) && calls.every(({ gated }) => gated) && !changesSomething(node.effect);
};

const ungated = (facts: Facts): Forbidden[] => {
  const guards = guardsOf(facts.graph, facts.topology);

  return facts.graph.nodes
    .filter((node) => !isIdle(node) && changesOutside(facts, node))
    .filter((node) => !isAsked(node, guards.get(node.id) ?? []) && !isGatedInside(facts, node) && !isAskedPerCall(facts, node))
    .map((node) =>
      at(
        "ungated_effect",
        `${getNodeName(node)} changes data outside the run and can be reached without an approval. Add an approval with for_node "${node.id}" on every path to it, including those after a rejection, an error or a timeout.`,
        node.id,
      ),
    );
};

const beyond = ({ graph }: Facts): Forbidden[] => {
  const asked = {
    nodes: graph.nodes.length,
    edges: graph.edges.length,
    memory: graph.memory.length,
    max_iterations: graph.max_iterations,
    max_execution_time_ms: graph.max_execution_time_ms,
    max_token_budget: graph.max_token_budget ?? 0,
    budget_usd: graph.budget_usd ?? 0,
  } satisfies Record<keyof typeof ARCHITECT_LIMITS, number>;

  return Object.entries(ARCHITECT_LIMITS).flatMap(([name, most]) =>
    asked[name as keyof typeof asked] > most
      ? [at("beyond_limit", `${name} exceeds ${most.toLocaleString("en-US")}, the limit for proposed graphs.`)]
      : [],
  );
};

const budget = ({ graph }: Facts): Forbidden[] =>
  graph.max_token_budget === undefined && graph.budget_usd === undefined
    ? [at("no_budget", "The graph requires max_token_budget or budget_usd.")]
    : [];

const isReserved = (name: string): boolean => (FORBIDDEN_KEYS as readonly string[]).includes(name);

/** Names with a meaning on every JavaScript object. */
const reserved = ({ graph }: Facts): Forbidden[] =>
  [graph.id, ...graph.nodes.map(({ id }) => id), ...graph.edges.map(({ id }) => id)]
    .filter(isReserved)
    .map((name) => at("reserved_name", `${name} is a reserved name. Choose another one.`));

export const findForbidden = (graph: Graph, context: ValidationContext, problems: readonly Problem[]): readonly Forbidden[] => {
  const facts = collectFacts(graph, context);

  return [...wildcards(facts), ...loops(problems), ...ungated(facts), ...beyond(facts), ...budget(facts), ...reserved(facts)];
};

/** Finds changes that weaken people, trust or isolation. */
export const findLoosened = (before: Graph, after: Graph, context: ValidationContext): readonly Forbidden[] =>
  diffAuthority(readAuthority(buildPublishedGraph(before, context)), readAuthority(buildPublishedGraph(after, context)))
    .filter(({ loosens }) => loosens)
    .map(({ text, node }) => at("loosened", `${text}. A change must not weaken safeguards.`, node));
