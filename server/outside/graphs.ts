/** Graphs driven by outside agents: the newest driven version of each. */
import { uuidSchema } from "@/lib/ids";
import { newestVersion, usableVersions, type UsableVersion } from "@/server/store/graphs/versions";

/** Newest first. A graph whose newest version is not driven is left out. */
export const drivenGraphs = async (workspaceId: string): Promise<readonly UsableVersion[]> =>
  (await usableVersions(workspaceId)).filter(({ published }) => published.graph.external !== undefined);

export const drivenGraph = async (workspaceId: string, graphId: string): Promise<UsableVersion | null> => {
  const newest = uuidSchema.safeParse(graphId).success ? await newestVersion(workspaceId, graphId) : null;

  return newest?.published.graph.external ? newest : null;
};
