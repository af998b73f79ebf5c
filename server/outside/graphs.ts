import { uuidSchema } from "@/lib/ids";
import { getNewestVersion, listUsableVersions, type UsableVersion } from "@/server/store/graphs/versions";

/** Lists graphs whose newest version agents drive, newest first. */
export const listDrivenGraphs = async (workspaceId: string): Promise<readonly UsableVersion[]> =>
  (await listUsableVersions(workspaceId)).filter(({ published }) => published.graph.external !== undefined);

export const findDrivenGraph = async (workspaceId: string, graphId: string): Promise<UsableVersion | null> => {
  const newest = uuidSchema.safeParse(graphId).success ? await getNewestVersion(workspaceId, graphId) : null;

  return newest?.published.graph.external ? newest : null;
};
