/** From what the session token says to who is signed in. */
import { systemClock } from "@/server/clock";
import { createSession, findSession, listSessions, SESSION_LIFE_MS, touchSession, type SessionRow } from "@/server/store/sessions";
import { findMember } from "@/server/store/users";
import { confirmMember } from "./confirmed-member";
import type { SignedIn } from "./signed-in";
import type { Visit } from "./visit";

/** The account that somebody signed in to, as it stood then. */
export type AccountClaims = { readonly userId: string; readonly sessionVersion: number };

/** All that a session token holds. Everything else is read from the database, so that it is never out of date. */
export type SessionClaims = AccountClaims & { readonly sessionId: string };

/** How exactly it is known when a session was last used. */
const SEEN_MS = 60_000;

/**
 * Opens a session for somebody who has just signed in.
 * @param provedAtMs when they proved who they are, in ms since 1970; null when that is not known
 * @returns its id, which the token has to hold
 */
export const beginSession = async (userId: string, visit: Visit, provedAtMs: number | null): Promise<string> => {
  const nowMs = systemClock.now();
  const id = systemClock.id();
  // Another party's clock may be ahead of ours: nobody has proved anything later than now.
  const provedAt = provedAtMs === null ? null : new Date(Math.min(provedAtMs, nowMs));
  await createSession({ id, userId, ...visit, createdAt: new Date(nowMs), provedAt });

  return id;
};

export type OpenSession = Omit<SessionRow, "userId" | "createdAt" | "seenAt" | "provedAt"> & {
  /** ms since 1970 */
  readonly createdAt: number;
  readonly seenAt: number;
};

/** Where somebody is signed in, the one used last first. */
export const openSessionsOf = async (userId: string): Promise<OpenSession[]> => {
  const rows = await listSessions(userId, new Date(systemClock.now() - SESSION_LIFE_MS));

  return rows.map(({ id, address, userAgent, createdAt, seenAt }) => ({
    id,
    address,
    userAgent,
    createdAt: createdAt.getTime(),
    seenAt: seenAt.getTime(),
  }));
};

/**
 * Null when the user is gone, disabled, without a workspace, or when this session or all of them were ended since.
 * @throws AppError authority_mismatch when the account's rows are not what the signed records say
 */
export const signedInOf = async (claims: SessionClaims | null): Promise<SignedIn | null> => {
  if (claims === null) return null;

  const nowMs = systemClock.now();
  const [found, session] = await Promise.all([
    findMember(claims.userId),
    findSession(claims.sessionId, claims.userId, new Date(nowMs - SESSION_LIFE_MS)),
  ]);
  if (found === null || session === null) return null;
  const member = await confirmMember(found, () => findMember(claims.userId));
  if (member === null) return null;
  if (member.user.disabledAt !== null || member.user.sessionVersion !== claims.sessionVersion) return null;
  if (nowMs - session.seenAt.getTime() > SEEN_MS) await touchSession(session.id, new Date(nowMs));

  const { user, workspace, role, auditor } = member;

  return {
    user: { id: user.id, name: user.name, email: user.email },
    workspace,
    role,
    auditor,
    session: { id: session.id, provedAtMs: session.provedAt?.getTime() ?? null },
  };
};
