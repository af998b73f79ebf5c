import { PERMISSIONS, roleSchema, type Role } from "@/lib/roles";
import { getDatabase, scopeToWorkspace } from "@/server/db/client";
import { toListedIdentity, type ListedIdentity } from "./identities";

export type ListedMember = {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly auditor: boolean;
  readonly signsInBy: "password" | "provider" | "demo" | "nothing";
  readonly identity: ListedIdentity | null;
  /** ms since 1970, as the others */
  readonly disabledAt: number | null;
  readonly createdAt: number;
  /** null: never, or not remembered */
  readonly seenAt: number | null;
  readonly sessions: number;
};

const MOST_MEMBERS = 500;
const MOST_INVITES = 200;

type Ways = { readonly demo: boolean; readonly hasPassword: boolean | null; readonly identity: object | null };

const signsInBy = ({ demo, hasPassword, identity }: Ways): ListedMember["signsInBy"] => {
  if (hasPassword) return "password";
  if (identity !== null) return "provider";

  return demo ? "demo" : "nothing";
};

/** By name. @param since earliest session start */
export const listMembers = async (workspaceId: string, since: Date): Promise<ListedMember[]> => {
  const rows = await scopeToWorkspace(workspaceId).membership.findMany({
    where: { workspaceId },
    orderBy: [{ user: { name: "asc" } }, { userId: "asc" }],
    take: MOST_MEMBERS,
    select: {
      role: true,
      auditor: true,
      disabledAt: true,
      user: {
        select: {
          id: true,
          name: true,
          email: true,
          demo: true,
          hasPassword: true,
          createdAt: true,
          identity: true,
          sessions: {
            where: { workspaceId },
            orderBy: { seenAt: "desc" },
            take: 100,
            select: { seenAt: true, createdAt: true, revokedAt: true },
          },
        },
      },
    },
  });

  return rows.flatMap(({ role, auditor, disabledAt, user }) => {
    const parsed = roleSchema.safeParse(role);
    if (!parsed.success) return [];
    const { id, name, email, sessions } = user;

    return [
      {
        id,
        name,
        email,
        role: parsed.data,
        auditor,
        signsInBy: signsInBy(user),
        identity: user.identity && toListedIdentity(user.identity),
        disabledAt: disabledAt?.getTime() ?? null,
        createdAt: user.createdAt.getTime(),
        seenAt: sessions[0]?.seenAt.getTime() ?? null,
        sessions: sessions.filter(({ revokedAt, createdAt }) => revokedAt === null && createdAt > since).length,
      },
    ];
  });
};

/** Includes disabled members. */
export const isMember = async (workspaceId: string, userId: string): Promise<boolean> =>
  (await scopeToWorkspace(workspaceId).membership.count({ where: { workspaceId, userId } })) === 1;

export const isActiveMember = async (workspaceId: string, userId: string): Promise<boolean> =>
  (await scopeToWorkspace(workspaceId).membership.count({ where: { workspaceId, userId, disabledAt: null } })) === 1;

export const hasOtherAdmin = async (workspaceId: string, userId: string): Promise<boolean> =>
  (await scopeToWorkspace(workspaceId).membership.count({
    where: { workspaceId, userId: { not: userId }, role: { in: [...PERMISSIONS["people.manage"]] }, disabledAt: null },
  })) > 0;

export type ListedInvite = {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly auditor: boolean;
  readonly status: "open" | "used" | "withdrawn" | "expired";
  readonly createdBy: string;
  /** ms since 1970 */
  readonly createdAt: number;
  readonly expiresAt: number;
};

type Ends = { readonly usedAt: Date | null; readonly revokedAt: Date | null; readonly expiresAt: Date };

const statusOf = ({ usedAt, revokedAt, expiresAt }: Ends, nowMs: number): ListedInvite["status"] => {
  if (usedAt !== null) return "used";
  if (revokedAt !== null) return "withdrawn";

  return expiresAt.getTime() > nowMs ? "open" : "expired";
};

/** Newest first. */
export const listInvites = async (workspaceId: string, nowMs: number): Promise<ListedInvite[]> => {
  const rows = await scopeToWorkspace(workspaceId).invite.findMany({
    where: { workspaceId },
    orderBy: { createdAt: "desc" },
    take: MOST_INVITES,
    omit: { hash: true, usedBy: true },
  });

  return rows.flatMap((row) => {
    const role = roleSchema.safeParse(row.role);
    if (!role.success) return [];
    const { id, email, auditor, createdBy, createdAt, expiresAt } = row;

    return [
      {
        id,
        email,
        role: role.data,
        auditor,
        status: statusOf(row, nowMs),
        createdBy,
        createdAt: createdAt.getTime(),
        expiresAt: expiresAt.getTime(),
      },
    ];
  });
};

/** Searches every workspace. Runner's role only. */
export const findMembersByEmail = async (
  email: string,
): Promise<readonly { readonly workspace: string; readonly user: string; readonly name: string }[]> => {
  const rows = await getDatabase().membership.findMany({
    where: { user: { email } },
    select: { workspaceId: true, userId: true, user: { select: { name: true } } },
  });

  return rows.map(({ workspaceId, userId, user }) => ({ workspace: workspaceId, user: userId, name: user.name }));
};
