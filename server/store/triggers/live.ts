import { listLive, type EnvironmentFold } from "@/lib/environments/environment-fold";
import { getLast } from "@/lib/environments/environment";
import { listInForce } from "@/lib/graph/triggers/in-force";
import type { Transaction } from "@/server/db/client";
import { listNumbers } from "@/server/store/graphs/live";
import { readTriggers } from "@/server/store/graphs/versions";
import { projectTriggers } from "./projection";

export const projectLiveTriggers = async (tx: Transaction, workspaceId: string, fold: EnvironmentFold, graphId?: string): Promise<void> => {
  const numbers = await listNumbers(workspaceId, graphId, tx);
  for (const [graph, versions] of Map.groupBy(numbers, (version) => version.graphId)) {
    const live = listLive(
      fold,
      versions.map(({ hash }) => hash),
    );
    const found = [];
    for (const { environment, hash } of live) found.push({ environment, triggers: await readTriggers(tx, workspaceId, hash) });
    await projectTriggers(tx, workspaceId, graph, listInForce(found, getLast(fold.list)));
  }
};
