import {
  listPossibleCalls,
  collectEvidence,
  TOOL_NODES,
  undoTools,
  judgeFlow,
  type GrantUse,
  type RunUse,
  type ToolCall,
} from "@/lib/mcp/tool-use";
import { listUsableVersions } from "@/server/store/graphs/versions";
import { listLastRuns, type WorkedRun } from "@/server/store/mcp/tool-use";

export type UsageFacts = {
  readonly runs: number;
  readonly useOf: (isMeant: (call: ToolCall) => boolean) => GrantUse;
};

const didIn = ({ calls }: WorkedRun): ToolCall[] => calls.map(({ server, tool, agent }) => ({ caller: agent ?? TOOL_NODES, server, tool }));

/** Runs of versions that do not match their hash count for their calls only. */
export const getUsageFacts = async (workspaceId: string): Promise<UsageFacts> => {
  const worked = await listLastRuns(workspaceId);
  const versions = await listUsableVersions(workspaceId, [...new Set(worked.map(({ version }) => version))]);
  const published = new Map<string, (typeof versions)[number]["published"]>(versions.map((found) => [found.version, found.published]));
  const runs = worked.map((run): RunUse => {
    const version = published.get(run.version);

    return { atMs: run.atMs, could: version ? listPossibleCalls(version, new Set(run.agents)) : [], did: didIn(run) };
  });
  const undoing = versions.flatMap((found) => undoTools(found.published)).map((tool): ToolCall => ({ ...tool, caller: TOOL_NODES }));

  return {
    runs: runs.length,
    useOf: (isMeant) => {
      const evidence = collectEvidence(runs, isMeant);

      return { ...evidence, verdict: judgeFlow(evidence, undoing.some(isMeant)) };
    },
  };
};
