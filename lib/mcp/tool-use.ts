import type { PublishedGraph } from "@/lib/graph/document";
import { callsTool } from "@/lib/graph/kind-of";
import { getToolId } from "@/lib/graph/tool-ref";

/** Newest runs counted. */
export const MOST_RUNS = 50;
export const FEWEST_RUNS = 5;

/** Name of tool nodes in `allowed_agents`. */
export const TOOL_NODES = "node";

export type ToolName = { readonly server: string; readonly tool: string };
/** `caller`: an agent id, or `node`. */
export type ToolCall = ToolName & { readonly caller: string };

export type RunUse = { readonly atMs: number; readonly could: readonly ToolCall[]; readonly did: readonly ToolCall[] };

/** `runs`: possible; `used`: happened. */
export type Evidence = { readonly runs: number; readonly used: number; readonly lastAtMs: number | null };

/** `undo`: unused; successful runs say nothing about compensation. */
export type UseVerdict = "used" | "undo" | "too_few" | "unused";

export type GrantUse = Evidence & { readonly verdict: UseVerdict };

type Parts = Pick<PublishedGraph, "graph" | "agents" | "tools">;

const partsOf = (published: PublishedGraph): readonly Parts[] => [published, ...published.subgraphs];

const callsIn = ({ graph, agents, tools }: Parts, worked: ReadonlySet<string>): ToolCall[] => {
  const pinned = new Set(tools.map(({ server, tool }) => getToolId(server, tool)));
  const byAgents = agents
    .filter(({ id }) => worked.has(id))
    .flatMap((agent) => agent.tools.map(({ server, tool }) => ({ caller: agent.id, server, tool })));
  const byNodes = graph.nodes.flatMap((node) =>
    callsTool(node) ? [{ caller: TOOL_NODES, server: node.config.server, tool: node.config.tool }] : [],
  );

  return [...byAgents, ...byNodes].filter(({ server, tool }) => pinned.has(getToolId(server, tool)));
};

/** Lists possible calls at any depth. @param worked active agents */
export const listPossibleCalls = (published: PublishedGraph, worked: ReadonlySet<string>): readonly ToolCall[] =>
  partsOf(published).flatMap((parts) => callsIn(parts, worked));

export const undoTools = (published: PublishedGraph): readonly ToolName[] =>
  partsOf(published).flatMap(({ graph }) =>
    graph.nodes.flatMap(({ compensation }) => (compensation ? [{ server: compensation.server, tool: compensation.tool }] : [])),
  );

/** Counts use. @param runs newest first */
export const collectEvidence = (runs: readonly RunUse[], isMeant: (call: ToolCall) => boolean): Evidence => {
  const counted = runs.filter(({ could, did }) => could.some(isMeant) || did.some(isMeant)).slice(0, MOST_RUNS);
  const used = counted.filter(({ did }) => did.some(isMeant));

  return { runs: counted.length, used: used.length, lastAtMs: used[0]?.atMs ?? null };
};

export const judgeFlow = (evidence: Evidence, undoes: boolean): UseVerdict => {
  if (evidence.used > 0) return "used";
  if (undoes) return "undo";

  return evidence.runs < FEWEST_RUNS ? "too_few" : "unused";
};
