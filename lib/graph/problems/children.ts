/** Subgraph nodes: the graph they refer to, and the tools called inside it. */
import type { GraphNode, NodeOf, PinnedTool, PublishedGraph } from "@/lib/graph/document";
import { resolveVersion } from "@/lib/graph/publish";
import { toolId } from "@/lib/graph/tool-ref";
import { factsOf, toolsOf, type Facts, type PublishedVersion } from "./facts";
import { asksFirst, gatesFor } from "./gates";

/** Graphs inside graphs, as deep as the engine follows them. */
export const MOST_FRAMES = 32;

/** `gated`: every path to the call inside has an approval. */
export type ChildCall = { readonly tool: PinnedTool; readonly gated: boolean };

/** The version that a subgraph node refers to, if known. */
export const childOf = (facts: Pick<Facts, "versions">, node: NodeOf<"subgraph">): PublishedVersion | undefined =>
  resolveVersion(facts.versions, node.config);

/** The versions that came along with a published one. */
export const below = (published: PublishedGraph): PublishedVersion[] =>
  published.subgraphs.map(({ version, ...parts }) => ({ version, published: { ...parts, subgraphs: published.subgraphs } }));

/** Each call once; it counts as gated only if it is so everywhere. */
const merged = (calls: readonly ChildCall[]): ChildCall[] => {
  const byTool = new Map<string, ChildCall>();
  for (const call of calls) {
    const id = toolId(call.tool.server, call.tool.tool);
    byTool.set(id, { tool: call.tool, gated: call.gated && (byTool.get(id)?.gated ?? true) });
  }

  return [...byTool.values()];
};

type Known = Map<string, readonly ChildCall[]>;

const callsIn = (child: PublishedVersion, known: Known, depth: number): readonly ChildCall[] => {
  const found = known.get(child.version);
  if (found || depth > MOST_FRAMES) return found ?? [];
  const { graph, agents, tools } = child.published;
  const facts = factsOf(graph, { agents, tools, versions: below(child.published) });
  const calls = graph.nodes.flatMap((node): ChildCall[] => {
    if (!facts.topology.reachable.has(node.id)) return [];
    const gated = asksFirst(facts, node) || gatesFor(facts, node.id).length > 0;
    const inner = node.kind === "subgraph" ? childOf(facts, node) : undefined;
    const own = toolsOf(facts, node).map((tool) => ({ tool, gated }));

    return [...own, ...(inner ? callsIn(inner, known, depth + 1) : []).map((call) => ({ ...call, gated: call.gated || gated }))];
  });
  known.set(child.version, merged(calls));

  return merged(calls);
};

const known = new WeakMap<PublishedGraph, Known>();

/** What is called inside a subgraph node at any depth; nothing for other kinds. */
export const subgraphCalls = (facts: Facts, node: GraphNode): readonly ChildCall[] => {
  const child = node.kind === "subgraph" ? childOf(facts, node) : undefined;
  if (!child) return [];
  const calls = known.get(child.published) ?? new Map<string, readonly ChildCall[]>();
  known.set(child.published, calls);

  return callsIn(child, calls, 1);
};

export const subgraphTools = (facts: Facts, node: GraphNode): PinnedTool[] => subgraphCalls(facts, node).map((call) => call.tool);
