/** Sign-ins: one row each, read again on every request. */
import { database } from "@/server/db/client";

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
const KEPT_MS = 30 * 24 * 3_600_000;

const select = { id: true, userId: true, address: true, userAgent: true, createdAt: true, seenAt: true, provedAt: true } as const;

/** Adds a session, and forgets the person's old ones. */
export const createSession = async (session: Omit<SessionRow, "seenAt">): Promise<void> => {
  const { userId, createdAt } = session;
  await database().$transaction([
    database().session.deleteMany({ where: { userId, createdAt: { lt: new Date(createdAt.getTime() - KEPT_MS) } } }),
    database().session.create({ data: { ...session, seenAt: createdAt } }),
  ]);
};

/** The session when it is this person's, not revoked, and began after `since`; otherwise null. */
export const findSession = (id: string, userId: string, since: Date): Promise<SessionRow | null> =>
  database().session.findFirst({ where: { id, userId, revokedAt: null, createdAt: { gt: since } }, select });

/** Whether this account has a session, over or not, that began at this masked address. @param email in lower case */
export const hasSignedInFrom = async (email: string, address: string): Promise<boolean> =>
  (await database().session.findFirst({ where: { address, user: { email } }, select: { id: true } })) !== null;

export const touchSession = async (id: string, now: Date): Promise<void> => {
  await database().session.updateMany({ where: { id, revokedAt: null }, data: { seenAt: now } });
};

export const proveSession = async (id: string, now: Date): Promise<void> => {
  await database().session.updateMany({ where: { id, revokedAt: null }, data: { provedAt: now } });
};

/** Lets the person of this session link an identity to their account. */
export const allowLink = async (id: string, until: Date): Promise<void> => {
  await database().session.updateMany({ where: { id, revokedAt: null }, data: { linkUntil: until } });
};

/** Takes that back. @returns whether it was still allowed */
export const takeLink = async (id: string, now: Date): Promise<boolean> => {
  const where = { id, revokedAt: null, linkUntil: { gt: now } };

  return (await database().session.updateMany({ where, data: { linkUntil: null } })).count === 1;
};

/** Ends one session of a person. @returns whether there was one to end */
export const revokeSession = async (userId: string, id: string, now: Date): Promise<boolean> =>
  (await database().session.updateMany({ where: { id, userId, revokedAt: null }, data: { revokedAt: now } })).count === 1;

/** At most this many are listed; somebody with more ends them all. */
const MOST_LISTED = 100;

/** A person's open sessions that began after `since`, the one used last first. */
export const listSessions = (userId: string, since: Date): Promise<SessionRow[]> =>
  database().session.findMany({
    where: { userId, revokedAt: null, createdAt: { gt: since } },
    orderBy: [{ seenAt: "desc" }, { id: "asc" }],
    take: MOST_LISTED,
    select,
  });

/** Ends all sessions of a person but one. @returns how many that were */
export const revokeOtherSessions = async (userId: string, keptId: string, now: Date): Promise<number> =>
  (await database().session.updateMany({ where: { userId, id: { not: keptId }, revokedAt: null }, data: { revokedAt: now } })).count;
