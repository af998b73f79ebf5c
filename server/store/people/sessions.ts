import { z } from "zod";
import { getPool, scopeToWorkspace, scopedToSession } from "@/server/db/client";
import { columnsOf, queryRow } from "@/server/store/sql/rows";

export const SESSION_LIFE_MS = 12 * 3_600_000;

export const SESSION_KEPT_MS = 30 * 24 * 3_600_000;

const select = { id: true, userId: true, address: true, userAgent: true, createdAt: true, seenAt: true, provedAt: true } as const;

const sessionRow = z.object({
  id: z.string(),
  userId: z.string(),
  address: z.string(),
  userAgent: z.string(),
  createdAt: z.date(),
  seenAt: z.date(),
  provedAt: z.date().nullable(),
});
export type SessionRow = Readonly<z.infer<typeof sessionRow>>;

export const findSession = (id: string, userId: string, since: Date): Promise<SessionRow | null> =>
  queryRow(getPool(), sessionRow, {
    name: "open-session",
    text: `select ${columnsOf(sessionRow)} from open_session($1, $2) where created_at > $3`,
    values: [id, userId, since],
  });

export const touchSession = async (id: string, now: Date): Promise<void> => {
  await scopedToSession(id).session.updateMany({ where: { id, revokedAt: null }, data: { seenAt: now } });
};

export const allowLink = async (id: string, until: Date): Promise<void> => {
  await scopedToSession(id).session.updateMany({ where: { id, revokedAt: null }, data: { linkUntil: until } });
};

/** Takes the permission. @returns false when lapsed */
export const takeLink = async (id: string, now: Date): Promise<boolean> => {
  const where = { id, revokedAt: null, linkUntil: { gt: now } };

  return (await scopedToSession(id).session.updateMany({ where, data: { linkUntil: null } })).count === 1;
};

/** Ends a session while the runner is silent. @returns false when not open */
export const revokeSession = async (userId: string, id: string, now: Date): Promise<boolean> =>
  (await scopedToSession(id).session.updateMany({ where: { id, userId, revokedAt: null }, data: { revokedAt: now } })).count === 1;

/** Beyond it, people end all. */
const MOST_LISTED = 100;

export const listSessions = (workspaceId: string, userId: string, since: Date): Promise<SessionRow[]> =>
  scopeToWorkspace(workspaceId).session.findMany({
    where: { workspaceId, userId, revokedAt: null, createdAt: { gt: since } },
    orderBy: [{ seenAt: "desc" }, { id: "asc" }],
    take: MOST_LISTED,
    select,
  });
