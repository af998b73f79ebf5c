import { uuidSchema } from "@/lib/ids";
import { findLiveVersion } from "@/server/store/graphs/live";
import { getNewestVersion, listUsableVersions, type UsableVersion } from "@/server/store/graphs/versions";
import { readAuthority } from "@/server/web/authority";

export const listDrivenGraphs = async (workspaceId: string): Promise<readonly UsableVersion[]> =>
  (await listUsableVersions(workspaceId)).filter(({ published }) => published.graph.external !== undefined);

const findRunning = async (workspaceId: string, graphId: string): Promise<UsableVersion | null> => {
  const { environments } = await readAuthority(workspaceId);
  if (!environments.isSet) return getNewestVersion(workspaceId, graphId);
  const live = await findLiveVersion(environments, workspaceId, graphId);

  return live && { version: live.hash, graphId, number: live.number, published: live.published };
};

export const findDrivenGraph = async (workspaceId: string, graphId: string): Promise<UsableVersion | null> => {
  const found = uuidSchema.safeParse(graphId).success ? await findRunning(workspaceId, graphId) : null;

  return found?.published.graph.external ? found : null;
};
