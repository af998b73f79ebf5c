/** Whom an identity provider calls whom. */
import { pool, scoped } from "@/server/db/client";

export type IdentityKey = { readonly issuer: string; readonly subject: string };

/** An identity as its person and admins are shown it. */
export type ListedIdentity = IdentityKey & {
  /** ms since 1970 */
  readonly linkedAt: number;
  /** The number of its record in the workspace's own ledger; null: an invite let its person in by it. */
  readonly record: number | null;
};

/** Only the runner sees links of all workspaces. @returns the id of the user, or null for an identity that nobody is linked to */
export const findIdentity = async ({ issuer, subject }: IdentityKey): Promise<string | null> => {
  const { rows } = await pool().query<{ owner: string }>("select user_id as owner from identity where issuer = $1 and subject = $2", [
    issuer,
    subject,
  ]);

  return rows[0]?.owner ?? null;
};

type Row = IdentityKey & { readonly createdAt: Date; readonly recordSeq: number | null };

export const listedIdentity = ({ issuer, subject, createdAt, recordSeq }: Row): ListedIdentity => ({
  issuer,
  subject,
  linkedAt: createdAt.getTime(),
  record: recordSeq,
});

/** The identity that a member signs in with; null: none. */
export const identityOf = async (workspaceId: string, userId: string): Promise<ListedIdentity | null> => {
  const row = await scoped(workspaceId).identity.findUnique({ where: { userId } });

  return row && listedIdentity(row);
};
