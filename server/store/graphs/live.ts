import { findLive, type EnvironmentFold } from "@/lib/environments/environment-fold";
import { getLast } from "@/lib/environments/environment";
import { runInWorkspace, type Transaction } from "@/server/db/client";
import { getNewestVersion, getVersion, type StoredVersion } from "@/server/store/graphs/versions";

const MOST_VERSIONS = 5_000;

export type NumberedVersion = { readonly hash: string; readonly graphId: string; readonly graphName: string; readonly number: number };

/** Newest first. */
export const listNumbers = (workspaceId: string, graphId?: string, client?: Transaction): Promise<readonly NumberedVersion[]> => {
  const find = async (tx: Transaction) => {
    const rows = await tx.graphVersion.findMany({
      where: { workspaceId, graph: { deletedAt: null }, ...(graphId === undefined ? {} : { graphId }) },
      orderBy: [{ graphId: "asc" }, { number: "desc" }],
      take: MOST_VERSIONS,
      select: { hash: true, graphId: true, number: true, graph: { select: { name: true } } },
    });

    return rows.map(({ graph, ...row }) => ({ ...row, graphName: graph.name }));
  };

  return client ? find(client) : runInWorkspace(workspaceId, find);
};

/** @param environment absent: the last */
export const findLiveHash = async (
  fold: EnvironmentFold,
  workspaceId: string,
  graphId: string,
  environment = getLast(fold.list),
): Promise<string | null> => {
  if (!fold.isSet) return (await getNewestVersion(workspaceId, graphId))?.version ?? null;
  const numbers = await listNumbers(workspaceId, graphId);

  return findLive(
    fold,
    environment,
    numbers.map(({ hash }) => hash),
  );
};

/** Live in the last environment that has any. */
export const findDefaultVersion = async (fold: EnvironmentFold, workspaceId: string, graphId: string): Promise<StoredVersion | null> => {
  for (const { id } of fold.list.toReversed()) {
    const version = await findLiveVersion(fold, workspaceId, graphId, id);
    if (version) return version;
  }

  return null;
};

export const findLiveVersion = async (...args: Parameters<typeof findLiveHash>): Promise<StoredVersion | null> => {
  const hash = await findLiveHash(...args);
  const [, workspaceId] = args;

  return hash === null ? null : getVersion(workspaceId, hash);
};
