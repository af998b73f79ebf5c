/** What is decided about a server, as one digest, and the steps that change it: each with its record, in one transaction. */
import type { HexDigest } from "@/lib/hash";
import { inWorkspace, type Transaction } from "@/server/db/client";
import { ledgerClient, type LedgerClient } from "@/server/store/runs/attempts";
import { serverDigest } from "./row";

export type StepDigests = { readonly before: HexDigest | null; readonly after: HexDigest | null };

/** Adds the record of a step that was just made, inside its transaction. */
export type RecordStep = (digests: StepDigests, within: LedgerClient) => Promise<unknown>;

/** Returns the digest of a server's settings; null when there is no such server. */
const settingsDigest = async (tx: Transaction, workspaceId: string, id: string): Promise<HexDigest | null> => {
  const row = await tx.mcpServer.findUnique({
    where: { workspaceId_id: { workspaceId, id } },
    include: { tools: { orderBy: { name: "asc" } } },
  });

  return row && serverDigest(row);
};

/** Wakes the runs that wait for an approval about the server's tools, and those that one which came to nothing holds. Told at the commit. */
const wakeRuns = async (tx: Transaction, workspaceId: string, id: string): Promise<void> => {
  await tx.$queryRaw`
    select pg_notify('countersign_command', a.workspace_id || ' ' || a.run_id)::text
    from (
      select distinct approval.workspace_id, approval.run_id from approval join run on run.id = approval.run_id
      where approval.workspace_id = ${workspaceId}::uuid and approval.server = ${id}
        and (approval.status = 'open' or (approval.status = 'void' and run.status = 'waiting'))
    ) a`;
};

/** Makes one step. @param record `null`: it is put on record elsewhere, or is none of the workspace's own */
export const inStep = <T>(
  workspaceId: string,
  id: string,
  record: RecordStep | null,
  change: (tx: Transaction) => Promise<T>,
): Promise<T> =>
  inWorkspace(workspaceId, async (tx) => {
    // Nobody else's step comes between the two looks at it.
    await tx.$queryRaw`select 1 from mcp_server where workspace_id = ${workspaceId}::uuid and id = ${id} for update`;
    const before = await settingsDigest(tx, workspaceId, id);
    const result = await change(tx);
    const after = await settingsDigest(tx, workspaceId, id);
    await record?.({ before, after }, ledgerClient(tx));
    await wakeRuns(tx, workspaceId, id);

    return result;
  });
