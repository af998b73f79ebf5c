/** What is decided about a server, as one digest, and the steps that change it: each with its record, in one transaction. */
import { digestOf, type HexDigest } from "@/lib/hash";
import type { Json } from "@/lib/json";
import { inWorkspace, type Transaction } from "@/server/db/client";
import { ledgerClient, type LedgerClient } from "./attempts";

export type StepDigests = { readonly before: HexDigest | null; readonly after: HexDigest | null };

/** Adds the record of a step that was just made, inside its transaction. */
export type RecordStep = (digests: StepDigests, within: LedgerClient) => Promise<unknown>;

/**
 * Everything that a person decided about a server, as it is stored; a tool counts from its review on, since what a server
 * merely says changes nothing. Secrets are named there and never kept. `null`: there is no such server.
 */
const settingsDigest = async (tx: Transaction, workspaceId: string, id: string): Promise<HexDigest | null> => {
  const row = await tx.mcpServer.findUnique({
    where: { workspaceId_id: { workspaceId, id } },
    select: {
      name: true,
      transport: true,
      status: true,
      allowedAgents: true,
      headers: true,
      auth: true,
      limits: true,
      pinnedIdentity: true,
      tools: {
        where: { pinnedDigest: { not: null } },
        orderBy: { name: "asc" },
        select: {
          name: true,
          pinnedDigest: true,
          effect: true,
          idempotent: true,
          output: true,
          outward: true,
          clearance: true,
          limits: true,
          blockedAt: true,
        },
      },
    },
  });
  if (!row) return null;
  const tools = row.tools.map(({ blockedAt, ...tool }) => ({ ...tool, blocked: blockedAt !== null }));

  // A row read through Prisma holds nothing but JSON here.
  return digestOf("settings", JSON.parse(JSON.stringify({ ...row, tools })) as Json);
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
    const before = await settingsDigest(tx, workspaceId, id);
    const result = await change(tx);
    const after = await settingsDigest(tx, workspaceId, id);
    await record?.({ before, after }, ledgerClient(tx));
    await wakeRuns(tx, workspaceId, id);

    return result;
  });
