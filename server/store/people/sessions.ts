/** Sign-ins: one row each, read again on every request. */
import { z } from "zod";
import { pool, scoped, scopedToSession } from "@/server/db/client";

/** However much it is used, a session ends after this time. */
export const SESSION_LIFE_MS = 12 * 3_600_000;

export type SessionRow = {
  readonly id: string;
  readonly userId: string;
  /** Where it was signed in from, with its last part left out. */
  readonly address: string;
  readonly userAgent: string;
  readonly createdAt: Date;
  readonly seenAt: Date;
  readonly provedAt: Date | null;
};

/** Rows that nothing can be done with any more are kept this long, for whoever looks who was signed in. */
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

/** The session when it is this person's, not revoked, and began after `since`; otherwise null. One statement: every request asks. */
export const findSession = async (id: string, userId: string, since: Date): Promise<SessionRow | null> => {
  const { rows } = await pool().query({
    name: "open-session",
    text: `select id, user_id as "userId", address, user_agent as "userAgent", created_at as "createdAt", seen_at as "seenAt",
           proved_at as "provedAt" from open_session($1, $2) where created_at > $3`,
    values: [id, userId, since],
  });

  return rows[0] === undefined ? null : sessionSchema.parse(rows[0]);
};

/** Whether this account has a session, over or not, that began at this masked address. @param email in lower case */
export const hasSignedInFrom = async (email: string, address: string): Promise<boolean> => {
  const { rows } = await pool().query<{ known: boolean }>("select has_signed_in_from($1, $2) as known", [email, address]);

  return rows[0]?.known === true;
};

export const touchSession = async (id: string, now: Date): Promise<void> => {
  await scopedToSession(id).session.updateMany({ where: { id, revokedAt: null }, data: { seenAt: now } });
};

/** Lets the person of this session link an identity to their account. */
export const allowLink = async (id: string, until: Date): Promise<void> => {
  await scopedToSession(id).session.updateMany({ where: { id, revokedAt: null }, data: { linkUntil: until } });
};

/** Takes that back. @returns whether it was still allowed */
export const takeLink = async (id: string, now: Date): Promise<boolean> => {
  const where = { id, revokedAt: null, linkUntil: { gt: now } };

  return (await scopedToSession(id).session.updateMany({ where, data: { linkUntil: null } })).count === 1;
};

/** Ends one session of a person when the runner, which puts it on record, does not answer. @returns whether there was one to end */
export const revokeSession = async (userId: string, id: string, now: Date): Promise<boolean> =>
  (await scopedToSession(id).session.updateMany({ where: { id, userId, revokedAt: null }, data: { revokedAt: now } })).count === 1;

/** At most this many are listed; somebody with more ends them all. */
const MOST_LISTED = 100;

/** A member's open sessions that began after `since`, the one used last first. */
export const listSessions = (workspaceId: string, userId: string, since: Date): Promise<SessionRow[]> =>
  scoped(workspaceId).session.findMany({
    where: { userId, revokedAt: null, createdAt: { gt: since } },
    orderBy: [{ seenAt: "desc" }, { id: "asc" }],
    take: MOST_LISTED,
    select,
  });
