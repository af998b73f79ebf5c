/** What somebody with an invite sees of it, and how it lets them in: once. */
import { Prisma } from "@/server/db/generated/client";
import { roleSchema, type Role } from "@/lib/roles";
import { database } from "@/server/db/client";

export type OpenInvite = { readonly email: string; readonly role: Role; readonly auditor: boolean; readonly workspace: string };

/** Which invite: by the hash of its token, or by an address that somebody else has verified. */
type Named = { readonly hash: string } | { readonly email: string };

const open = (named: Named, now: Date) => ({ ...named, usedAt: null, revokedAt: null, expiresAt: { gt: now } });

/** The invite with this hash as it may be shown to whoever has the link; null: it lets nobody in (any more). */
export const findOpenInvite = async (hash: string, now: Date): Promise<OpenInvite | null> => {
  const invite = await database().invite.findFirst({ where: open({ hash }, now) });
  const role = roleSchema.safeParse(invite?.role);
  if (invite === null || !role.success) return null;
  const workspace = await database().workspace.findUnique({ where: { id: invite.workspaceId }, select: { name: true } });

  return workspace && { email: invite.email, role: role.data, auditor: invite.auditor, workspace: workspace.name };
};

export type Newcomer = { readonly userId: string; readonly name: string; readonly passwordHash: string | null };

/**
 * Uses up the newest open invite of that name, and makes the account and the membership that it stands for. Part of a
 * transaction, which fails when somebody has the address already.
 * @returns the address; null when there is no such invite
 */
export const acceptInvite = async (
  tx: Prisma.TransactionClient,
  named: Named,
  { userId, name, passwordHash }: Newcomer,
  now: Date,
): Promise<string | null> => {
  // Anybody on this machine is an admin of the demo: whom it names by an address would have to do with no other workspace.
  const demos = "email" in named ? await tx.workspace.findMany({ where: { demo: true }, select: { id: true } }) : [];
  const where = { ...open(named, now), workspaceId: { notIn: demos.map(({ id }) => id) } };
  const invite = await tx.invite.findFirst({ where, orderBy: { createdAt: "desc" } });
  if (invite === null) return null;
  const { workspaceId, email, role, auditor } = invite;
  // Of two that come in at once by the same invite, one gets the row.
  const used = await tx.invite.updateMany({ where: { ...where, id: invite.id }, data: { usedAt: now, usedBy: userId } });
  if (used.count !== 1) return null;
  await tx.user.create({ data: { id: userId, name, email, passwordHash, createdAt: now } });
  await tx.membership.create({ data: { workspaceId, userId, role, auditor } });

  return email;
};

/** Whether a transaction failed because an address, or whatever else there is once, was taken already. */
export const isTaken = (error: unknown): boolean => error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2002";

/** Lets somebody in by the link of their invite. @returns the address to sign in with; null: the link lets nobody in */
export const joinByLink = async (hash: string, newcomer: Newcomer, now: Date): Promise<string | null> => {
  try {
    return await database().$transaction((tx) => acceptInvite(tx, { hash }, newcomer, now));
  } catch (error) {
    if (isTaken(error)) return null;
    throw error;
  }
};
