import type { HexDigest } from "@/lib/hash";
import { runInWorkspace, type Transaction } from "@/server/db/client";
import type { LedgerTransaction } from "@/server/store/runs/attempts";
import { computeServerDigest } from "./row";

export type StepDigests = { readonly before: HexDigest | null; readonly after: HexDigest | null };

/** Runs in the step's transaction. */
export type RecordStep = (digests: StepDigests, within: LedgerTransaction) => Promise<unknown>;

const settingsDigest = async (tx: Transaction, workspaceId: string, id: string): Promise<HexDigest | null> => {
  const row = await tx.mcpServer.findUnique({
    where: { workspaceId_id: { workspaceId, id } },
    include: { tools: { orderBy: { name: "asc" } } },
  });

  return row && computeServerDigest(row);
};

/** They wait for the server's tools. */
const wakeRuns = async (tx: Transaction, workspaceId: string, id: string): Promise<void> => {
  await tx.$queryRaw`
    select pg_notify('countersign_command', a.workspace_id || ' ' || a.run_id)::text
    from (
      select distinct approval.workspace_id, approval.run_id from approval join run on run.id = approval.run_id
      where approval.workspace_id = ${workspaceId}::uuid and approval.server = ${id}
        and (approval.status = 'open' or (approval.status = 'void' and run.status = 'waiting'))
    ) a`;
};

/** Makes one step. @param record `null`: recorded elsewhere */
export const inStep = <T>(
  workspaceId: string,
  id: string,
  record: RecordStep | null,
  change: (tx: Transaction) => Promise<T>,
): Promise<T> =>
  runInWorkspace(workspaceId, async (tx) => {
    // No other step comes between the digests.
    await tx.$queryRaw`select 1 from mcp_server where workspace_id = ${workspaceId}::uuid and id = ${id} for update`;
    const before = await settingsDigest(tx, workspaceId, id);
    const result = await change(tx);
    const after = await settingsDigest(tx, workspaceId, id);
    await record?.({ before, after }, tx);
    await wakeRuns(tx, workspaceId, id);

    return result;
  });
