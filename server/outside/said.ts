import { openSaidOutside } from "@/server/reading/said-so-far";
import { getRun } from "@/server/store/runs/runs";
import { getWebVault } from "@/server/web/web-vault";
import type { Caller } from "./caller";

/** Reads nothing of runs of other versions: their grants differ. */
export const createSaidReader = ({ workspaceId, graph }: Caller): ((runId: string) => Promise<string | null>) => {
  const versions = new Map<string, string | undefined>();

  return async (runId) => {
    if (!versions.has(runId)) versions.set(runId, (await getRun(workspaceId, runId))?.graphHash);

    return versions.get(runId) === graph.version ? openSaidOutside(getWebVault(), workspaceId, runId, graph.published) : null;
  };
};
