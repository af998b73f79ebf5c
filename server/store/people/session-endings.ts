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

const endingWhere = ({ userId, session, keep }: Ending) => ({
  userId,
  AND: [session === null ? {} : { id: session }, keep === null ? {} : { id: { not: keep } }],
});

export const listEndingSessions = async (tx: LedgerTransaction, ending: Ending): Promise<readonly string[]> => {
  const rows = await tx.session.findMany({ where: endingWhere(ending), orderBy: { createdAt: "desc" }, select: { id: true } });

  return rows.map(({ id }) => id);
};

export const getSessionVersion = async (tx: LedgerTransaction, userId: string): Promise<number | null> =>
  (await tx.user.findUnique({ where: { id: userId }, select: { sessionVersion: true } }))?.sessionVersion ?? null;

export const endSessions = async (tx: LedgerTransaction, workspaceId: string, ending: Ending, atMs: number): Promise<void> => {
  await tx.session.updateMany({ where: { ...endingWhere(ending), revokedAt: null }, data: { revokedAt: new Date(atMs) } });
  if (ending.session === null) await revokePersonalTokens(tx, workspaceId, ending.userId, atMs);
  if (raisesVersion(ending)) await tx.user.updateMany({ where: { id: ending.userId }, data: { sessionVersion: { increment: 1 } } });
};
