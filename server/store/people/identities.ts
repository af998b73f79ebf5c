import { getPool, scopeToWorkspace } from "@/server/db/client";

export type IdentityKey = { readonly issuer: string; readonly subject: string };

export type ListedIdentity = IdentityKey & {
  /** ms since 1970 */
  readonly linkedAt: number;
  /** Ledger record; null: joined by invite. */
  readonly record: number | null;
};

/** Finds the user's id. Runner's role only. */
export const findIdentity = async ({ issuer, subject }: IdentityKey): Promise<string | null> => {
  const { rows } = await getPool().query<{ owner: string }>("select user_id as owner from identity where issuer = $1 and subject = $2", [
    issuer,
    subject,
  ]);

  return rows[0]?.owner ?? null;
};

type Row = IdentityKey & { readonly createdAt: Date; readonly recordSeq: number | null };

export const toListedIdentity = ({ issuer, subject, createdAt, recordSeq }: Row): ListedIdentity => ({
  issuer,
  subject,
  linkedAt: createdAt.getTime(),
  record: recordSeq,
});

/** A member's identity, or null. */
export const toIdentity = async (workspaceId: string, userId: string): Promise<ListedIdentity | null> => {
  const row = await scopeToWorkspace(workspaceId).identity.findUnique({ where: { userId } });

  return row && toListedIdentity(row);
};
