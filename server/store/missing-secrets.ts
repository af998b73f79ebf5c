import type { PublishedGraph } from "@/lib/graph/document";
import { listServers } from "@/lib/graph/variables";
import { runInWorkspace } from "@/server/db/client";
import { listMissingSecrets } from "@/server/store/ledger/secrets";
import { listServerSecrets } from "@/server/store/mcp/servers";

export const listSecretsMissingFor = (workspaceId: string, version: PublishedGraph, environment: string): Promise<readonly string[]> =>
  runInWorkspace(workspaceId, async (tx) =>
    listMissingSecrets(tx, workspaceId, await listServerSecrets(tx, workspaceId, listServers(version)), environment),
  );
