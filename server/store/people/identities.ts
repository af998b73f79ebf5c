import { getDatabase, scopeToWorkspace } from "@/server/db/client";

export type IdentityKey = { readonly issuer: string; readonly subject: string };

export type ListedIdentity = IdentityKey & {
  /** ms since 1970 */
  readonly linkedAt: number;
  /** Ledger record; null: joined by invite. */
  readonly record: number | null;
};

/** Finds the user's id. Runner's role only. */
export const findIdentity = async ({ issuer, subject }: IdentityKey): Promise<string | null> => {
  const where = { issuer_subject: { issuer, subject } };

  return (await getDatabase().identity.findUnique({ where, select: { userId: true } }))?.userId ?? null;
};

type Row = IdentityKey & { readonly createdAt: Date; readonly recordSeq: number | null };

export const toListedIdentity = ({ issuer, subject, createdAt, recordSeq }: Row): ListedIdentity => ({
  issuer,
  subject,
  linkedAt: createdAt.getTime(),
  record: recordSeq,
});

export const toIdentity = async (workspaceId: string, userId: string): Promise<ListedIdentity | null> => {
  const row = await scopeToWorkspace(workspaceId).identity.findUnique({ where: { userId } });

  return row && toListedIdentity(row);
};
