import type { PublishedGraph } from "@/lib/graph/document";
import { listServers, listVersionModels } from "@/lib/graph/variables";
import { getProvider, needsKey } from "@/lib/model-provider";
import { getModelSecretName } from "@/lib/secrets/reference";
import { runInWorkspace } from "@/server/db/client";
import { listMissingSecrets } from "@/server/store/ledger/secrets";
import { listServerSecrets } from "@/server/store/mcp/servers";
import { readModelSettings } from "@/server/store/workspaces/model-settings";

type Version = {
  readonly published: PublishedGraph;
  /** Of the run; null: not chosen yet. */
  readonly model: string | null;
};

/** Lists secrets of the servers and keys of the model providers that a version calls. */
export const listSecretsMissingFor = (
  workspaceId: string,
  { published, model }: Version,
  environment: string,
): Promise<readonly string[]> =>
  runInWorkspace(workspaceId, async (tx) => {
    const called = new Set(listVersionModels(published, model).map(getProvider));
    const { providers } = await readModelSettings(tx, workspaceId);
    const keys = providers.filter((provider) => called.has(provider.id) && needsKey(provider)).map(({ id }) => getModelSecretName(id));
    const secrets = await listServerSecrets(tx, workspaceId, listServers(published));

    return listMissingSecrets(tx, workspaceId, [...secrets, ...keys], environment);
  });
