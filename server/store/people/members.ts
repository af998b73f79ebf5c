/** Who is in a workspace, and who was asked to come, as lists show them. */
import { PERMISSIONS, roleSchema, type Role } from "@/lib/roles";
import { database, scoped } from "@/server/db/client";
import { listedIdentity, type ListedIdentity } from "./identities";

export type ListedMember = {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly auditor: boolean;
  /** How they prove who they are; "nothing": not at all yet. */
  readonly signsInBy: "password" | "provider" | "demo" | "nothing";
  /** The identity that they sign in with; null: none. */
  readonly identity: ListedIdentity | null;
  /** ms since 1970, as the other times; null: they are not */
  readonly disabledAt: number | null;
  readonly createdAt: number;
  /** null: never, or longer ago than sessions are remembered */
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

/** The members of a workspace by name. @param since when a session has to have begun to be open still */
export const listMembers = async (workspaceId: string, since: Date): Promise<ListedMember[]> => {
  const rows = await scoped(workspaceId).membership.findMany({
    where: { workspaceId },
    orderBy: [{ user: { name: "asc" } }, { userId: "asc" }],
    take: MOST_MEMBERS,
    select: {
      role: true,
      auditor: true,
      user: {
        select: {
          id: true,
          name: true,
          email: true,
          demo: true,
          hasPassword: true,
          disabledAt: true,
          createdAt: true,
          identity: true,
          sessions: { orderBy: { seenAt: "desc" }, take: 100, select: { seenAt: true, createdAt: true, revokedAt: true } },
        },
      },
    },
  });

  return rows.flatMap(({ role, auditor, user }) => {
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
        identity: user.identity && listedIdentity(user.identity),
        disabledAt: user.disabledAt?.getTime() ?? null,
        createdAt: user.createdAt.getTime(),
        seenAt: sessions[0]?.seenAt.getTime() ?? null,
        sessions: sessions.filter(({ revokedAt, createdAt }) => revokedAt === null && createdAt > since).length,
      },
    ];
  });
};

/** Whether somebody is of this workspace, disabled or not. */
export const isMember = async (workspaceId: string, userId: string): Promise<boolean> =>
  (await scoped(workspaceId).membership.count({ where: { workspaceId, userId } })) === 1;

/** Whether somebody besides this person may manage the workspace's people. */
export const hasOtherAdmin = async (workspaceId: string, userId: string): Promise<boolean> =>
  (await scoped(workspaceId).membership.count({
    where: { workspaceId, userId: { not: userId }, role: { in: [...PERMISSIONS["people.manage"]] }, user: { disabledAt: null } },
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

/** The invites of a workspace, the newest first. */
export const listInvites = async (workspaceId: string, nowMs: number): Promise<ListedInvite[]> => {
  const rows = await scoped(workspaceId).invite.findMany({
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

/** Finds the account of an address, in each workspace that it is a member of. For the command line, which has the role of the runner. */
export const membersByEmail = async (
  email: string,
): Promise<readonly { readonly workspace: string; readonly user: string; readonly name: string }[]> => {
  const rows = await database().membership.findMany({
    where: { user: { email } },
    select: { workspaceId: true, userId: true, user: { select: { name: true } } },
  });

  return rows.map(({ workspaceId, userId, user }) => ({ workspace: workspaceId, user: userId, name: user.name }));
};
