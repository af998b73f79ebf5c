/** Runner's role only. */
import { getDatabase } from "@/server/db/client";
import type { LedgerTransaction } from "@/server/store/runs/attempts";
import { SESSION_LIFE_MS, SESSION_KEPT_MS } from "@/server/store/people/sessions";

export type Account = {
  readonly id: string;
  readonly passwordHash: string | null;
  readonly demo: boolean;
  /** The last entered first. */
  readonly workspaceIds: readonly string[];
};

const findAccount = async (where: { readonly email: string } | { readonly id: string }): Promise<Account | null> => {
  const user = await getDatabase().user.findUnique({
    where,
    select: {
      id: true,
      passwordHash: true,
      demo: true,
      memberships: { orderBy: [{ workspace: { createdAt: "asc" } }, { workspaceId: "asc" }], select: { workspaceId: true } },
      sessions: { orderBy: { createdAt: "desc" }, take: 1, select: { workspaceId: true } },
    },
  });
  if (!user) return null;
  const { memberships, sessions, ...account } = user;
  const last = sessions[0]?.workspaceId;
  const ids = memberships.map(({ workspaceId }) => workspaceId);

  return { ...account, workspaceIds: [...ids.filter((id) => id === last), ...ids.filter((id) => id !== last)] };
};

/** @param email as typed */
export const findAccountByEmail = (email: string): Promise<Account | null> => findAccount({ email: email.trim().toLowerCase() });

export const findAccountById = (id: string): Promise<Account | null> => findAccount({ id });

export const readPasswordHash = async (id: string): Promise<string | null> =>
  (await getDatabase().user.findUnique({ where: { id }, select: { passwordHash: true } }))?.passwordHash ?? null;

export type StoredSession = {
  readonly id: string;
  readonly userId: string;
  readonly workspaceId: string;
  readonly publicKey: string;
  readonly address: string;
  readonly userAgent: string;
  /** Times: ms since 1970. */
  readonly createdAtMs: number;
  readonly provedAtMs: number | null;
  /** Empty: unnamed; null: not by the provider. */
  readonly providerSid: string | null;
};

export const insertSession = async ({ createdAtMs, provedAtMs, ...session }: StoredSession): Promise<void> => {
  const createdAt = new Date(createdAtMs);
  const { session: sessions } = getDatabase();
  await sessions.deleteMany({ where: { userId: session.userId, createdAt: { lt: new Date(createdAtMs - SESSION_KEPT_MS) } } });
  await sessions.createMany({
    data: { ...session, createdAt, seenAt: createdAt, provedAt: provedAtMs === null ? null : new Date(provedAtMs) },
  });
};

export type KeyedSession = { readonly workspaceId: string; readonly publicKey: string; readonly providerSid: string | null };

export const findKeyedSession = async (id: string, userId: string, nowMs: number): Promise<KeyedSession | null> => {
  const open = { id, userId, revokedAt: null, createdAt: { gt: new Date(nowMs - SESSION_LIFE_MS) } };
  const select = { workspaceId: true, publicKey: true, providerSid: true } as const;
  const found = await getDatabase().session.findFirst({ where: open, select });

  return found?.publicKey ? { ...found, publicKey: found.publicKey } : null;
};

export const readSessionVersion = async (workspaceId: string, userId: string): Promise<number | null> => {
  const where = { workspaceId_userId: { workspaceId, userId } };

  return (await getDatabase().membership.findUnique({ where, select: { sessionVersion: true } }))?.sessionVersion ?? null;
};

export const listProviderSessions = async (
  tx: LedgerTransaction,
  { workspaceId, userId, sid }: { readonly workspaceId: string; readonly userId: string; readonly sid: string | null },
): Promise<readonly string[]> => {
  const rows = await tx.session.findMany({
    where: { workspaceId, userId, revokedAt: null, providerSid: sid === null ? { not: null } : { in: [sid, ""] } },
    select: { id: true },
  });

  return rows.map(({ id }) => id);
};

export const listUsersInProviderSession = async (sid: string): Promise<readonly string[]> => {
  const where = { providerSid: sid, revokedAt: null };

  return (await getDatabase().session.findMany({ where, distinct: ["userId"], select: { userId: true } })).map(({ userId }) => userId);
};

export const proveSession = async (id: string, atMs: number): Promise<void> => {
  await getDatabase().session.updateMany({ where: { id, revokedAt: null }, data: { provedAt: new Date(atMs) } });
};
