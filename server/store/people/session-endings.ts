/** Runner's role only. */
import { revokePersonalTokens } from "@/server/store/agents/token-changes";
import type { LedgerTransaction } from "@/server/store/runs/attempts";

export type Ending = {
  readonly userId: string;
  /** Null: all. */
  readonly session: string | null;
  /** The exception among all. */
  readonly keep: string | null;
};

export const raisesVersion = ({ session, keep }: Ending): boolean => session === null && keep === null;

const endingWhere = (workspaceId: string, { userId, session, keep }: Ending) => ({
  workspaceId,
  userId,
  AND: [session === null ? {} : { id: session }, keep === null ? {} : { id: { not: keep } }],
});

export const listEndingSessions = async (tx: LedgerTransaction, workspaceId: string, ending: Ending): Promise<readonly string[]> => {
  const rows = await tx.session.findMany({ where: endingWhere(workspaceId, ending), orderBy: { createdAt: "desc" }, select: { id: true } });

  return rows.map(({ id }) => id);
};

export const getSessionVersion = async (tx: LedgerTransaction, workspaceId: string, userId: string): Promise<number | null> =>
  (await tx.membership.findUnique({ where: { workspaceId_userId: { workspaceId, userId } }, select: { sessionVersion: true } }))
    ?.sessionVersion ?? null;

export const endSessions = async (tx: LedgerTransaction, workspaceId: string, ending: Ending, atMs: number): Promise<void> => {
  await tx.session.updateMany({ where: { ...endingWhere(workspaceId, ending), revokedAt: null }, data: { revokedAt: new Date(atMs) } });
  if (ending.session === null) await revokePersonalTokens(tx, workspaceId, ending.userId, atMs);
  if (!raisesVersion(ending)) return;
  await tx.membership.updateMany({ where: { workspaceId, userId: ending.userId }, data: { sessionVersion: { increment: 1 } } });
};
