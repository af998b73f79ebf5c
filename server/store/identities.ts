/** Whom an identity provider calls whom. */
import { Prisma } from "@/server/db/generated/client";
import { database } from "@/server/db/client";

export type IdentityKey = { readonly issuer: string; readonly subject: string };

type Newcomer = IdentityKey & {
  /** For the account, should there be none yet. */
  readonly userId: string;
  readonly name: string;
  /** Verified by the issuer, in lower case. */
  readonly email: string;
};

/** @returns the id of the user, or null for an identity that nobody is linked to */
export const findIdentity = async ({ issuer, subject }: IdentityKey): Promise<string | null> => {
  const where = { issuer_subject: { issuer, subject } };

  return (await database().identity.findUnique({ where, select: { userId: true } }))?.userId ?? null;
};

const isTaken = (error: unknown): boolean => error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2002";

/** Uses up the newest invite for this address, and makes the account that it stands for. */
const acceptInvite = async (tx: Prisma.TransactionClient, { userId, name, email }: Newcomer, now: Date): Promise<string | null> => {
  const open = { email, usedAt: null, revokedAt: null, expiresAt: { gt: now } };
  const invite = await tx.invite.findFirst({ where: open, orderBy: { createdAt: "desc" } });
  if (invite === null) return null;

  await tx.user.create({ data: { id: userId, name, email, createdAt: now } });
  // Of two that come in at once by the same invite, one gets the row.
  const used = await tx.invite.updateMany({ where: { ...open, id: invite.id }, data: { usedAt: now, usedBy: userId } });
  if (used.count !== 1) return null;
  const { workspaceId, role, auditor } = invite;
  await tx.membership.create({ data: { workspaceId, userId, role, auditor } });

  return userId;
};

/** The account that came in by an invite to this very address, as long as nobody is linked to it. */
const invitedAccount = async (tx: Prisma.TransactionClient, email: string): Promise<string | null> => {
  const used = await tx.invite.findMany({ where: { email, usedBy: { not: null } }, select: { usedBy: true } });
  const ids = used.flatMap(({ usedBy }) => (usedBy === null ? [] : [usedBy]));

  return (
    (await tx.user.findFirst({ where: { id: { in: ids }, email, identity: null, disabledAt: null }, select: { id: true } }))?.id ?? null
  );
};

/**
 * Links an identity, once and for good, to the account that was invited under its address: one that came in by an invite
 * before, or the one that an open invite makes.
 * @returns the id of the user; null when no invite names the address, or somebody else is linked already
 */
export const linkInvited = async (newcomer: Newcomer, now: Date): Promise<string | null> => {
  const { issuer, subject, email } = newcomer;
  try {
    return await database().$transaction(async (tx) => {
      const userId = (await invitedAccount(tx, email)) ?? (await acceptInvite(tx, newcomer, now));
      if (userId === null) return null;
      await tx.identity.create({ data: { issuer, subject, userId, createdAt: now } });

      return userId;
    });
  } catch (error) {
    // The address, the identity or the account was taken in between, or belongs to somebody who was not invited.
    if (isTaken(error)) return null;
    throw error;
  }
};
