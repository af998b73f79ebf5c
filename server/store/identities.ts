/** Whom an identity provider calls whom. */
import { database } from "@/server/db/client";
import { acceptInvite, isTaken } from "./invites";

export type IdentityKey = { readonly issuer: string; readonly subject: string };

/** An identity as its person and admins are shown it. */
export type ListedIdentity = IdentityKey & {
  /** ms since 1970 */
  readonly linkedAt: number;
  /** The number of its record in the workspace's own ledger; null: an invite let its person in by it. */
  readonly record: number | null;
};

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

type Row = IdentityKey & { readonly createdAt: Date; readonly recordSeq: number | null };

export const listedIdentity = ({ issuer, subject, createdAt, recordSeq }: Row): ListedIdentity => ({
  issuer,
  subject,
  linkedAt: createdAt.getTime(),
  record: recordSeq,
});

/** The identity that somebody signs in with; null: none. */
export const identityOf = async (userId: string): Promise<ListedIdentity | null> => {
  const row = await database().identity.findUnique({ where: { userId } });

  return row && listedIdentity(row);
};

/**
 * Makes the account that an open invite to its address stands for, with this identity as its way in.
 * @returns the id of the user; null when no invite names the address, or somebody has it already
 */
export const joinByIdentity = async (newcomer: Newcomer, now: Date): Promise<string | null> => {
  const { issuer, subject, email } = newcomer;
  try {
    return await database().$transaction(async (tx) => {
      const { userId } = newcomer;
      if (!(await acceptInvite(tx, { email }, { ...newcomer, passwordHash: null }, now))) return null;
      await tx.identity.create({ data: { issuer, subject, userId, createdAt: now } });

      return userId;
    });
  } catch (error) {
    // The address or the identity was taken in between, or belongs to somebody who is here already.
    if (isTaken(error)) return null;
    throw error;
  }
};
