import type { GraphNode, NodeOf, PinnedTool, PublishedGraph } from "@/lib/graph/document";
import { runsGraph } from "@/lib/graph/kind-of";
import { resolveVersion } from "@/lib/graph/publish";
import { listAgentIds } from "@/lib/graph/refs";
import { getToolId } from "@/lib/graph/tool-ref";
import { collectFacts, listTools, type Facts, type PublishedVersion } from "./facts";
import { asksFirst, asksForCall, findGatesFor } from "./gates";

/** As in the engine. */
export const MOST_FRAMES = 32;

/** `gated`: every path inside has an approval. */
export type ChildCall = { readonly tool: PinnedTool; readonly gated: boolean };

/** Finds the version a subgraph node names. */
export const findChild = (facts: Pick<Facts, "versions">, node: NodeOf<"subgraph">): PublishedVersion | undefined =>
  resolveVersion(facts.versions, node.config);

/** Lists versions inside a published one. */
export const listBelow = (published: PublishedGraph): PublishedVersion[] =>
  published.subgraphs.map(({ version, ...parts }) => ({ version, published: { ...parts, subgraphs: published.subgraphs } }));

/** Gated only if it is so everywhere. */
const merged = (calls: readonly ChildCall[]): ChildCall[] => {
  const byTool = new Map<string, ChildCall>();
  for (const call of calls) {
    const id = getToolId(call.tool.server, call.tool.tool);
    byTool.set(id, { tool: call.tool, gated: call.gated && (byTool.get(id)?.gated ?? true) });
  }

  return [...byTool.values()];
};

type Known = Map<string, readonly ChildCall[]>;

const callsIn = (child: PublishedVersion, known: Known, depth: number): readonly ChildCall[] => {
  const found = known.get(child.version);
  if (found || depth > MOST_FRAMES) return found ?? [];
  const { graph, agents, tools } = child.published;
  const facts = collectFacts(graph, { agents, tools, versions: listBelow(child.published) });
  const calls = graph.nodes.flatMap((node): ChildCall[] => {
    if (!facts.topology.reachable.has(node.id)) return [];
    const gated = asksFirst(facts, node) || findGatesFor(facts, node.id).length > 0;
    const inner = runsGraph(node) ? findChild(facts, node) : undefined;
    const own = listTools(facts, node).map((tool) => ({ tool, gated: gated || asksForCall(facts, node, tool) }));

    return [...own, ...(inner ? callsIn(inner, known, depth + 1) : []).map((call) => ({ ...call, gated: call.gated || gated }))];
  });
  known.set(child.version, merged(calls));

  return merged(calls);
};

const known = new WeakMap<PublishedGraph, Known>();

/** Lists calls inside a subgraph node, at any depth. */
export const listSubgraphCalls = (facts: Facts, node: GraphNode): readonly ChildCall[] => {
  const child = runsGraph(node) ? findChild(facts, node) : undefined;
  if (!child) return [];
  const calls = known.get(child.published) ?? new Map<string, readonly ChildCall[]>();
  known.set(child.published, calls);

  return callsIn(child, calls, 1);
};

export const listSubgraphTools = (facts: Facts, node: GraphNode): PinnedTool[] => listSubgraphCalls(facts, node).map((call) => call.tool);

/** Returns whether models act, at any depth. */
export const spends = (facts: Facts, node: GraphNode): boolean => {
  if (!runsGraph(node)) return listAgentIds(node).length > 0;
  const child = findChild(facts, node)?.published;

  return child !== undefined && [child, ...child.subgraphs].some((inner) => inner.agents.length > 0);
};
