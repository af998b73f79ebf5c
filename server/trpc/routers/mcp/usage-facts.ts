/** Granted versus used tools of a workspace: recent runs' evidence and suggested removals. */
import { callsPossible, evidenceOf, TOOL_NODES, undoTools, verdictOf, type GrantUse, type RunUse, type ToolCall } from "@/lib/mcp/tool-use";
import { usableVersions } from "@/server/store/graphs/versions";
import { lastRuns, type WorkedRun } from "@/server/store/mcp/tool-use";

export type UsageFacts = {
  /** Number of runs considered. */
  readonly runs: number;
  /** Use of the calls in question. */
  readonly useOf: (isMeant: (call: ToolCall) => boolean) => GrantUse;
};

const didIn = ({ calls }: WorkedRun): ToolCall[] => calls.map(({ server, tool, agent }) => ({ caller: agent ?? TOOL_NODES, server, tool }));

/** Runs of versions that do not match their hash count for their calls only. */
export const usageFacts = async (workspaceId: string): Promise<UsageFacts> => {
  const worked = await lastRuns(workspaceId);
  const versions = await usableVersions(workspaceId, [...new Set(worked.map(({ version }) => version))]);
  const published = new Map<string, (typeof versions)[number]["published"]>(versions.map((found) => [found.version, found.published]));
  const runs = worked.map((run): RunUse => {
    const version = published.get(run.version);

    return { atMs: run.atMs, could: version ? callsPossible(version, new Set(run.agents)) : [], did: didIn(run) };
  });
  const undoing = versions.flatMap((found) => undoTools(found.published)).map((tool): ToolCall => ({ ...tool, caller: TOOL_NODES }));

  return {
    runs: runs.length,
    useOf: (isMeant) => {
      const evidence = evidenceOf(runs, isMeant);

      return { ...evidence, verdict: verdictOf(evidence, undoing.some(isMeant)) };
    },
  };
};
