import { analyse } from "@/lib/graph/analyse";
import type { Reachable } from "@/lib/graph/analyse/blast";
import type { Told } from "@/lib/graph/analyse/blast-radius";
import { blastRadiusSentence, weighReach, sortWorstFirst } from "@/lib/graph/analyse/labels";
import type { GraphNode, PublishedGraph } from "@/lib/graph/document";
import { callsTool, runsGraph } from "@/lib/graph/kind-of";
import { listActingAgentIds } from "@/lib/graph/facts/acting";
import { listBelow } from "@/lib/graph/facts/children";
import { getNodeName, type ServerPlace } from "@/lib/graph/facts/facts";
import { TOOL_NODES } from "@/lib/mcp/tool-use";

const MOST_LISTED = 12;
const MOST_CALLERS = 50;
const MOST_TOLD = 40;

/** `by`: agent ids, and `node` for tool nodes. */
export type Caller = { readonly node: string; readonly by: readonly string[] };

export type VersionReach = {
  /** Before the first approval. */
  readonly sentence: string;
  /** Memory keys and other answers; at most 40, `moreTold` omitted. */
  readonly told: readonly Told[];
  readonly moreTold: number;
  readonly waits: { readonly gated: number; readonly all: number; readonly gates: readonly string[] };
  /** At most 50. */
  readonly callers: readonly Caller[];
  readonly tools: readonly string[];
  readonly keys: readonly string[];
  /** Worst first, at most 12; `more` omitted. */
  readonly reachable: readonly Reachable[];
  readonly more: number;
  readonly firstGates: readonly string[];
  /** Of the worst sink; 0 without any. */
  readonly weight: number;
  readonly titles: Readonly<Record<string, string>>;
};

type Parts = Pick<PublishedGraph, "graph" | "agents" | "tools">;

/** Includes subgraphs at any depth. */
export const usesServer = ({ tools, subgraphs }: PublishedGraph, server: string): boolean =>
  [tools, ...subgraphs.map((child) => child.tools)].some((pinned) => pinned.some((tool) => tool.server === server));

const callersIn = (root: PublishedGraph, { agents }: Parts, node: GraphNode, server: string, seen: Set<string>): string[] => {
  if (callsTool(node)) return node.config.server === server ? [TOOL_NODES] : [];
  if (!runsGraph(node)) {
    const granted = new Set(agents.filter((agent) => agent.tools.some((tool) => tool.server === server)).map((agent) => agent.id));

    return listActingAgentIds(node).filter((id) => granted.has(id));
  }
  const child = root.subgraphs.find(({ version }) => version === node.config.version);
  if (!child || seen.has(child.version)) return [];
  seen.add(child.version);

  return child.graph.nodes.flatMap((inner) => callersIn(root, child, inner, server, seen));
};

export const computeServerReach = (published: PublishedGraph, server: string, servers: readonly ServerPlace[]): VersionReach => {
  const { graph, agents, tools } = published;
  const blast = analyse(graph, { agents, tools, versions: listBelow(published), servers }).blastRadius({ server });
  const reachable = sortWorstFirst(blast.reachable);
  const listed = reachable.slice(0, MOST_LISTED);
  const speaking = new Set(blast.nodes.slice(0, MOST_CALLERS));
  const callers = graph.nodes
    .filter((node) => speaking.has(node.id))
    .map((node) => ({ node: node.id, by: [...new Set(callersIn(published, published, node, server, new Set()))] }));
  const gated = blast.reachable.filter((each) => each.gated);
  const between = [...new Set(gated.flatMap((each) => each.gates))];
  const named = new Set([...speaking, ...blast.firstGates, ...between, ...listed.flatMap(({ sink, gates }) => [sink.node, ...gates])]);
  const [worst] = reachable;

  return {
    sentence: blastRadiusSentence(blast),
    told: blast.unseen.told.slice(0, MOST_TOLD),
    moreTold: Math.max(0, blast.unseen.told.length - MOST_TOLD),
    waits: { gated: gated.length, all: blast.reachable.length, gates: between },
    callers,
    tools: blast.tools,
    keys: blast.keys,
    reachable: listed,
    more: reachable.length - listed.length,
    firstGates: blast.firstGates,
    weight: worst ? weighReach(worst) : 0,
    titles: Object.fromEntries(graph.nodes.flatMap((node) => (named.has(node.id) ? [[node.id, getNodeName(node)] as const] : []))),
  };
};
