/** Sessions: one row per sign-in. */
import { z } from "zod";
import { getPool, scopeToWorkspace, scopedToSession } from "@/server/db/client";

export const SESSION_LIFE_MS = 12 * 3_600_000;

export type SessionRow = {
  readonly id: string;
  readonly userId: string;
  readonly address: string;
  readonly userAgent: string;
  readonly createdAt: Date;
  readonly seenAt: Date;
  readonly provedAt: Date | null;
};

export const SESSION_KEPT_MS = 30 * 24 * 3_600_000;

const select = { id: true, userId: true, address: true, userAgent: true, createdAt: true, seenAt: true, provedAt: true } as const;

const sessionSchema = z.object({
  id: z.string(),
  userId: z.string(),
  address: z.string(),
  userAgent: z.string(),
  createdAt: z.date(),
  seenAt: z.date(),
  provedAt: z.date().nullable(),
});

/** The open session begun after `since`, or null. */
export const findSession = async (id: string, userId: string, since: Date): Promise<SessionRow | null> => {
  const { rows } = await getPool().query({
    name: "open-session",
    text: `select id, user_id as "userId", address, user_agent as "userAgent", created_at as "createdAt", seen_at as "seenAt",
           proved_at as "provedAt" from open_session($1, $2) where created_at > $3`,
    values: [id, userId, since],
  });

  return rows[0] === undefined ? null : sessionSchema.parse(rows[0]);
};

/** Finds earlier sign-ins from this masked address. @param email in lower case */
export const hasSignedInFrom = async (email: string, address: string): Promise<boolean> => {
  const { rows } = await getPool().query<{ known: boolean }>("select has_signed_in_from($1, $2) as known", [email, address]);

  return rows[0]?.known === true;
};

export const touchSession = async (id: string, now: Date): Promise<void> => {
  await scopedToSession(id).session.updateMany({ where: { id, revokedAt: null }, data: { seenAt: now } });
};

/** Allows linking an identity. */
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

/** Open sessions begun after `since`, most recently used first. */
export const listSessions = (workspaceId: string, userId: string, since: Date): Promise<SessionRow[]> =>
  scopeToWorkspace(workspaceId).session.findMany({
    where: { userId, revokedAt: null, createdAt: { gt: since } },
    orderBy: [{ seenAt: "desc" }, { id: "asc" }],
    take: MOST_LISTED,
    select,
  });
