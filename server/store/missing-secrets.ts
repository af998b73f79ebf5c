import type { PublishedGraph } from "@/lib/graph/document";
import { listToolServers } from "@/lib/graph/variables";
import { runInWorkspace } from "@/server/db/client";
import { listMissingSecrets } from "@/server/store/ledger/secrets";
import { listServerSecrets } from "@/server/store/mcp/servers";

/** Lists the secrets that a version's servers need and that have no value in an environment. */
export const listSecretsMissingFor = (workspaceId: string, version: PublishedGraph, environment: string): Promise<readonly string[]> =>
  runInWorkspace(workspaceId, async (tx) =>
    listMissingSecrets(tx, workspaceId, await listServerSecrets(tx, workspaceId, listToolServers(version)), environment),
  );
