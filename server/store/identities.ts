/** Whom an identity provider calls whom. */
import { database } from "@/server/db/client";

export type IdentityKey = { readonly issuer: string; readonly subject: string };

/** An identity as its person and admins are shown it. */
export type ListedIdentity = IdentityKey & {
  /** ms since 1970 */
  readonly linkedAt: number;
  /** The number of its record in the workspace's own ledger; null: an invite let its person in by it. */
  readonly record: number | null;
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
