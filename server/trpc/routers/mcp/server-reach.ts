/** What one MCP server could do through one published version if it were hostile, and who calls it there. */
import { analyse } from "@/lib/graph/analyse";
import type { Reachable } from "@/lib/graph/analyse/blast";
import { weightOf, worstFirst } from "@/lib/graph/analyse/words";
import type { GraphNode, PublishedGraph } from "@/lib/graph/document";
import { actingAgentIds } from "@/lib/graph/problems/acting";
import { below } from "@/lib/graph/problems/children";
import { nodeName } from "@/lib/graph/problems/facts";
import { TOOL_NODES } from "@/lib/mcp/tool-use";

const MOST_LISTED = 12;
const MOST_CALLERS = 50;

/** `by`: agent ids, and `node` where it is a tool node, inside a subgraph too. */
export type Caller = { readonly node: string; readonly by: readonly string[] };

export type VersionReach = {
  /** At most 50. */
  readonly callers: readonly Caller[];
  readonly tools: readonly string[];
  /** Memory keys that can hold something of it in the end. */
  readonly keys: readonly string[];
  /** Worst first, at most 12; `more` are not listed. */
  readonly reachable: readonly Reachable[];
  readonly more: number;
  readonly firstGates: readonly string[];
  /** Of the worst sink; 0 when it reaches none. */
  readonly weight: number;
  /** Titles of the nodes that are named above. */
  readonly titles: Readonly<Record<string, string>>;
};

type Parts = Pick<PublishedGraph, "graph" | "agents" | "tools">;

/** Whether the version has a pinned tool of the server, at any depth. */
export const usesServer = ({ tools, subgraphs }: PublishedGraph, server: string): boolean =>
  [tools, ...subgraphs.map((child) => child.tools)].some((pinned) => pinned.some((tool) => tool.server === server));

/** Each version below is looked at once for a node, however often it is used there. */
const callersIn = (root: PublishedGraph, { agents }: Parts, node: GraphNode, server: string, seen: Set<string>): string[] => {
  if (node.kind === "tool") return node.config.server === server ? [TOOL_NODES] : [];
  if (node.kind !== "subgraph") {
    const granted = new Set(agents.filter((agent) => agent.tools.some((tool) => tool.server === server)).map((agent) => agent.id));

    return actingAgentIds(node).filter((id) => granted.has(id));
  }
  const child = root.subgraphs.find(({ version }) => version === node.config.version);
  if (!child || seen.has(child.version)) return [];
  seen.add(child.version);

  return child.graph.nodes.flatMap((inner) => callersIn(root, child, inner, server, seen));
};

export const serverReach = (published: PublishedGraph, server: string): VersionReach => {
  const { graph, agents, tools } = published;
  const blast = analyse(graph, { agents, tools, versions: below(published) }).blastRadius({ server });
  const reachable = worstFirst(blast.reachable);
  const listed = reachable.slice(0, MOST_LISTED);
  const speaking = new Set(blast.nodes.slice(0, MOST_CALLERS));
  const callers = graph.nodes
    .filter((node) => speaking.has(node.id))
    .map((node) => ({ node: node.id, by: [...new Set(callersIn(published, published, node, server, new Set()))] }));
  const named = new Set([...speaking, ...blast.firstGates, ...listed.flatMap(({ sink, gates }) => [sink.node, ...gates])]);
  const [worst] = reachable;

  return {
    callers,
    tools: blast.tools,
    keys: blast.keys,
    reachable: listed,
    more: reachable.length - listed.length,
    firstGates: blast.firstGates,
    weight: worst ? weightOf(worst) : 0,
    titles: Object.fromEntries(graph.nodes.flatMap((node) => (named.has(node.id) ? [[node.id, nodeName(node)] as const] : []))),
  };
};
