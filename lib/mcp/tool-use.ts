/**
 * Granted and used: what the ledgers of the last runs say about who called which tool, and what of a grant they give no
 * reason for. It never says more than the runs in which somebody could have called: a tool that was granted yesterday is
 * not unused because of the runs of last week.
 */
import type { PublishedGraph } from "@/lib/graph/document";
import { toolId } from "@/lib/graph/tool-ref";

/** Of the runs in which somebody could call, the newest that count, and the fewest from which anything is proposed. */
export const MOST_RUNS = 50;
export const FEWEST_RUNS = 5;

/** As `allowed_agents` names tool nodes. */
export const TOOL_NODES = "node";

export type ToolName = { readonly server: string; readonly tool: string };
/** `caller`: an agent id, or `node`. */
export type ToolCall = ToolName & { readonly caller: string };

/** One run: what its version let those call who worked in it, and what they called. */
export type RunUse = { readonly atMs: number; readonly could: readonly ToolCall[]; readonly did: readonly ToolCall[] };

/** `runs`: in how many it could be called; `used`: in how many of those it was, the last time at `lastAtMs`. */
export type Evidence = { readonly runs: number; readonly used: number; readonly lastAtMs: number | null };

/** `undo`: not used, and what takes another call back; runs that go well say nothing about it. */
export type UseVerdict = "used" | "undo" | "too_few" | "unused";

/** What is known about one part of a grant. */
export type GrantUse = Evidence & { readonly verdict: UseVerdict };

type Parts = Pick<PublishedGraph, "graph" | "agents" | "tools">;

const partsOf = (published: PublishedGraph): readonly Parts[] => [published, ...published.subgraphs];

const callsIn = ({ graph, agents, tools }: Parts, worked: ReadonlySet<string>): ToolCall[] => {
  const pinned = new Set(tools.map(({ server, tool }) => toolId(server, tool)));
  const byAgents = agents
    .filter(({ id }) => worked.has(id))
    .flatMap((agent) => agent.tools.map(({ server, tool }) => ({ caller: agent.id, server, tool })));
  const byNodes = graph.nodes.flatMap((node) =>
    node.kind === "tool" ? [{ caller: TOOL_NODES, server: node.config.server, tool: node.config.tool }] : [],
  );

  return [...byAgents, ...byNodes].filter(({ server, tool }) => pinned.has(toolId(server, tool)));
};

/** What could be called in a run of this version, at any depth. @param worked the agents that did anything in the run */
export const callsPossible = (published: PublishedGraph, worked: ReadonlySet<string>): readonly ToolCall[] =>
  partsOf(published).flatMap((parts) => callsIn(parts, worked));

/** The tools that take something back, at any depth. They are called by the engine, as tool nodes call. */
export const undoTools = (published: PublishedGraph): readonly ToolName[] =>
  partsOf(published).flatMap(({ graph }) =>
    graph.nodes.flatMap(({ compensation }) => (compensation ? [{ server: compensation.server, tool: compensation.tool }] : [])),
  );

/** @param runs newest first @param isMeant the calls that the question is about */
export const evidenceOf = (runs: readonly RunUse[], isMeant: (call: ToolCall) => boolean): Evidence => {
  const counted = runs.filter(({ could, did }) => could.some(isMeant) || did.some(isMeant)).slice(0, MOST_RUNS);
  const used = counted.filter(({ did }) => did.some(isMeant));

  return { runs: counted.length, used: used.length, lastAtMs: used[0]?.atMs ?? null };
};

export const verdictOf = (evidence: Evidence, undoes: boolean): UseVerdict => {
  if (evidence.used > 0) return "used";
  if (undoes) return "undo";

  return evidence.runs < FEWEST_RUNS ? "too_few" : "unused";
};
