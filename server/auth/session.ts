import { computeSessionVersionDigest } from "@/lib/engine/ledger/settings-digests";
import { systemClock } from "@/server/clock";
import { findSession, listSessions, SESSION_LIFE_MS, touchSession, type SessionRow } from "@/server/store/people/sessions";
import { findMember, type MemberRow } from "@/server/store/people/users";
import { confirmRow, type Claim } from "@/server/web/authority";
import { listMemberClaims } from "./confirmed-member";
import type { SignedIn } from "./signed-in";

export type SessionClaims = {
  readonly userId: string;
  readonly sessionVersion: number;
  readonly sessionId: string;
  readonly sessionKey: string;
};

const SEEN_MS = 60_000;

export type OpenSession = Omit<SessionRow, "userId" | "createdAt" | "seenAt" | "provedAt"> & {
  /** ms since 1970 */
  readonly createdAt: number;
  readonly seenAt: number;
};

export const openSessionsOf = async (workspaceId: string, userId: string): Promise<OpenSession[]> => {
  const rows = await listSessions(workspaceId, userId, new Date(systemClock.now() - SESSION_LIFE_MS));

  return rows.map(({ id, address, userAgent, createdAt, seenAt }) => ({
    id,
    address,
    userAgent,
    createdAt: createdAt.getTime(),
    seenAt: seenAt.getTime(),
  }));
};

type SignedInRows = { readonly member: MemberRow | null; readonly session: SessionRow | null };

const readRows = async ({ userId, sessionId }: SessionClaims): Promise<SignedInRows> => {
  const [member, session] = await Promise.all([
    findMember(userId, sessionId),
    findSession(sessionId, userId, new Date(systemClock.now() - SESSION_LIFE_MS)),
  ]);

  return { member, session };
};

const claimsOf =
  ({ userId, sessionId }: SessionClaims) =>
  ({ member, session }: SignedInRows): readonly Claim[] =>
    member === null || session === null
      ? []
      : [
          ...listMemberClaims(member),
          { area: "sessions", subject: sessionId, digest: null },
          { area: "sessions", subject: userId, digest: computeSessionVersionDigest(member.user.sessionVersion) },
        ];

/** Finds the member; null when ended or disabled. @throws AppError authority_mismatch */
export const findSignedIn = async (claims: SessionClaims | null): Promise<SignedIn | null> => {
  if (claims === null) return null;

  const found = await readRows(claims);
  if (found.member === null || found.session === null) return null;
  const { member, session } = await confirmRow(found.member.workspace.id, found, () => readRows(claims), claimsOf(claims));
  if (member === null || session === null) return null;
  if (member.user.disabledAt !== null || member.user.sessionVersion !== claims.sessionVersion) return null;
  const nowMs = systemClock.now();
  if (nowMs - session.seenAt.getTime() > SEEN_MS) await touchSession(session.id, new Date(nowMs));

  const { user, workspace, role, auditor } = member;

  return {
    user: { id: user.id, name: user.name, email: user.email },
    workspace,
    role,
    auditor,
    session: { id: session.id, key: claims.sessionKey, provedAtMs: session.provedAt?.getTime() ?? null },
  };
};
