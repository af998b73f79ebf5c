/** Users and their memberships: the rows that say who somebody is, read again on every request. */
import { roleSchema } from "@/lib/roles";
import type { Role } from "@/lib/roles";
import { database } from "@/server/db/client";

export type UserRow = {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly passwordHash: string | null;
  readonly demo: boolean;
  readonly sessionVersion: number;
  readonly disabledAt: Date | null;
};

export type MemberRow = {
  readonly user: UserRow;
  readonly workspace: { readonly id: string; readonly name: string; readonly demo: boolean };
  readonly role: Role;
  readonly auditor: boolean;
};

const userSelect = { id: true, name: true, email: true, passwordHash: true, demo: true, sessionVersion: true, disabledAt: true } as const;

const workspaceSelect = { id: true, name: true, demo: true } as const;

/** @param email as it was typed; addresses are kept in lower case */
export const findUserByEmail = (email: string): Promise<UserRow | null> =>
  database().user.findUnique({ where: { email: email.trim().toLowerCase() }, select: userSelect });

/** The user with the workspace they belong to: the oldest membership, as nobody is in two yet. */
export const findMember = async (userId: string): Promise<MemberRow | null> => {
  const row = await database().membership.findFirst({
    where: { userId },
    orderBy: { workspace: { createdAt: "asc" } },
    select: { role: true, auditor: true, user: { select: userSelect }, workspace: { select: workspaceSelect } },
  });
  const role = roleSchema.safeParse(row?.role);
  if (row === null || !role.success) return null;

  return { user: row.user, workspace: row.workspace, role: role.data, auditor: row.auditor };
};
