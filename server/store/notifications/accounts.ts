import { z } from "zod";
import type { Channel } from "@/lib/notifications/setting";
import { getDatabase, runInWorkspace, scopeToWorkspace } from "@/server/db/client";
import type { LedgerTransaction } from "@/server/store/runs/attempts";

type Owner = { readonly workspaceId: string; readonly userId: string; readonly channel: Channel };

const accountRow = z.object({ account: z.string(), confirmedAt: z.date().nullable() });
export type Account = z.infer<typeof accountRow>;

const SELECT = { account: true, confirmedAt: true } as const;

/** Runner's role only. */
export const findAccount = async (owner: Owner): Promise<Account | null> => {
  const row = await getDatabase().notificationAccount.findFirst({ where: owner, select: SELECT });

  return row && accountRow.parse(row);
};

export const getAccount = async (owner: Owner): Promise<Account | null> => {
  const row = await scopeToWorkspace(owner.workspaceId).notificationAccount.findFirst({ where: owner, select: SELECT });

  return row && accountRow.parse(row);
};

/** Names an account and queues the code that proves it. @returns false if another one is linked */
export const proposeAccount = ({ workspaceId, userId, channel }: Owner, account: string, codeId: string): Promise<boolean> =>
  runInWorkspace(workspaceId, async (tx) => {
    const where = { workspaceId, userId, channel };
    await tx.notificationAccount.deleteMany({ where: { ...where, confirmedAt: null } });
    // The web process may not insert the runner's columns.
    const added = await tx.$executeRaw`
      insert into notification_account (workspace_id, user_id, channel, account)
      values (${workspaceId}::uuid, ${userId}::uuid, ${channel}, ${account}) on conflict do nothing`;
    if (added === 0) return false;
    await tx.notification.deleteMany({ where: { ...where, type: "code" } });
    await tx.$executeRaw`
      insert into notification (workspace_id, id, user_id, channel, type, subject)
      values (${workspaceId}::uuid, ${codeId}::uuid, ${userId}::uuid, ${channel}, 'code', ${codeId}::uuid)`;

    return true;
  });

/** Confirms the account of a record, whatever was named meanwhile. */
export const confirmAccount = async (
  tx: LedgerTransaction,
  { workspaceId, userId, channel, account }: Owner & { readonly account: string },
  atMs: number,
): Promise<void> => {
  const confirmed = { account, confirmedAt: new Date(atMs) };
  await tx.notificationAccount.upsert({
    where: { workspaceId_userId_channel: { workspaceId, userId, channel } },
    create: { workspaceId, userId, channel, ...confirmed },
    update: confirmed,
  });
};

export const removeAccount = async (tx: LedgerTransaction, { workspaceId, userId, channel }: Owner): Promise<void> => {
  await tx.notificationAccount.deleteMany({ where: { workspaceId, userId, channel } });
};

export const queueUpdate = ({ workspaceId, userId, channel }: Owner, approvalId: string, id: string): Promise<void> =>
  runInWorkspace(workspaceId, async (tx) => {
    await tx.notification.deleteMany({ where: { workspaceId, userId, channel, type: "approval.updated", subject: approvalId } });
    await tx.$executeRaw`
      insert into notification (workspace_id, id, user_id, channel, type, subject)
      values (${workspaceId}::uuid, ${id}::uuid, ${userId}::uuid, ${channel}, 'approval.updated', ${approvalId}::uuid)
      on conflict do nothing`;
  });
