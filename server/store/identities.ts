/** Whom an identity provider calls whom. */
import type { Prisma } from "@/server/db/generated/client";
import { database } from "@/server/db/client";
import { acceptInvite, isTaken } from "./invites";

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
      const known = await invitedAccount(tx, email);
      if (known === null && !(await acceptInvite(tx, { email }, { ...newcomer, passwordHash: null }, now))) return null;
      const userId = known ?? newcomer.userId;
      await tx.identity.create({ data: { issuer, subject, userId, createdAt: now } });

      return userId;
    });
  } catch (error) {
    // The address, the identity or the account was taken in between, or belongs to somebody who was not invited.
    if (isTaken(error)) return null;
    throw error;
  }
};
