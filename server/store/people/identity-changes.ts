import type { PeopleCommand } from "@/lib/people/command";
import type { PeopleFacts } from "@/lib/people/decide";
import { identitySchema, type IdentityCommand } from "@/lib/people/identity";
import type { LedgerTransaction } from "@/server/store/runs/attempts";

const KEY = { issuer: true, subject: true } as const;

export const getIdentityFacts = async (
  tx: LedgerTransaction,
  command: PeopleCommand,
): Promise<Pick<PeopleFacts, "identity" | "isIdentityTaken">> => {
  const own = "user" in command ? await tx.identity.findUnique({ where: { userId: command.user }, select: KEY }) : null;
  const named = "identity" in command ? await tx.identity.count({ where: command.identity }) : 0;

  return { identity: identitySchema.nullable().parse(own), isIdentityTaken: named > 0 };
};

type Link = Extract<IdentityCommand, { kind: "people_link_identity" }>;
type Unlink = Extract<IdentityCommand, { kind: "people_unlink_identity" }>;

/** @param made when (ms since 1970), and by which record */
export const linkIdentity = async (
  tx: LedgerTransaction,
  { user, identity: { issuer, subject } }: Link,
  { at, seq }: { readonly at: number; readonly seq: number },
): Promise<void> => {
  await tx.identity.createMany({ data: { issuer, subject, userId: user, createdAt: new Date(at), recordSeq: seq } });
};

export const unlinkIdentity = async (tx: LedgerTransaction, { user, identity: { issuer, subject } }: Unlink): Promise<void> => {
  await tx.identity.deleteMany({ where: { issuer, subject, userId: user } });
};
