/** Runner's role only. */
import { z } from "zod";
import { identitySchema, type Identity } from "@/lib/people/identity";
import type { NewPerson } from "@/lib/people/membership";
import { roleSchema, type Role } from "@/lib/roles";
import type { LedgerTransaction } from "@/server/store/runs/attempts";

/** Serialises founding: there is one demo. */
export const holdDemo = async (tx: LedgerTransaction): Promise<void> => {
  await tx.$executeRaw`select pg_advisory_xact_lock(hashtext('countersign.demo'))`;
};

export const findDemoWorkspaceId = async (tx: LedgerTransaction): Promise<string | null> =>
  (await tx.workspace.findFirst({ where: { demo: true }, orderBy: { createdAt: "asc" }, select: { id: true } }))?.id ?? null;

/** Uses up a set-up link. @returns false when not open */
export const useSetupLink = async (tx: LedgerTransaction, hash: string, atMs: number): Promise<boolean> => {
  const at = new Date(atMs);
  const { count } = await tx.setupToken.updateMany({ where: { hash, usedAt: null, expiresAt: { gt: at } }, data: { usedAt: at } });

  return count === 1;
};

export const insertWorkspace = async (tx: LedgerTransaction, id: string, name: string, demo: boolean): Promise<void> => {
  await tx.workspace.createMany({ data: { id, name, demo }, skipDuplicates: true });
};

export const listTakenEmails = async (tx: LedgerTransaction, emails: readonly string[]): Promise<ReadonlySet<string>> => {
  const users = await tx.user.findMany({ where: { email: { in: [...emails] } }, select: { email: true } });

  return new Set(users.map(({ email }) => email));
};

type Account = Omit<NewPerson, "role"> & { readonly demo: boolean };

export const insertAccount = async (
  tx: LedgerTransaction,
  { id, name, email, password_hash: passwordHash, demo }: Account,
): Promise<void> => {
  await tx.user.createMany({ data: { id, name, email, passwordHash, demo } });
};

export const insertMembership = async (
  tx: LedgerTransaction,
  workspaceId: string,
  { id, role, auditor }: { readonly id: string; readonly role: string; readonly auditor: boolean },
): Promise<void> => {
  await tx.membership.createMany({ data: { workspaceId, userId: id, role, auditor } });
};

const inviteSchema = z.object({ id: z.string(), email: z.string(), role: roleSchema, auditor: z.boolean(), hash: z.string() });
export type FoundInvite = z.infer<typeof inviteSchema>;

export const openInvite = async (
  tx: LedgerTransaction,
  workspaceId: string,
  named: { readonly hash: string } | { readonly email: string },
  atMs: number,
): Promise<FoundInvite | null> => {
  const found = await tx.invite.findFirst({
    where: { workspaceId, usedAt: null, revokedAt: null, expiresAt: { gt: new Date(atMs) }, ...named },
    orderBy: { createdAt: "desc" },
  });

  return found && inviteSchema.parse(found);
};

export const useInvite = async (tx: LedgerTransaction, inviteId: string, userId: string, atMs: number): Promise<void> => {
  await tx.invite.updateMany({ where: { id: inviteId }, data: { usedAt: new Date(atMs), usedBy: userId } });
};

export const insertIdentity = async (tx: LedgerTransaction, { issuer, subject }: Identity, userId: string): Promise<void> => {
  await tx.identity.createMany({ data: { issuer, subject, userId } });
};

type AccountMembership = { readonly workspaceId: string; readonly role: Role; readonly auditor: boolean };

export const listMemberships = async (tx: LedgerTransaction, userId: string): Promise<readonly AccountMembership[]> => {
  const rows = await tx.membership.findMany({ where: { userId }, select: { workspaceId: true, role: true, auditor: true } });

  return rows.map(({ role, ...membership }) => ({ ...membership, role: roleSchema.parse(role) }));
};

/** @returns the account's workspaces */
export const holdAccount = async (tx: LedgerTransaction, userId: string): Promise<readonly string[]> => {
  await tx.$executeRaw`select 1 from app_user where id = ${userId}::uuid for no key update`;

  return (await listMemberships(tx, userId)).map(({ workspaceId }) => workspaceId);
};

const broughtSchema = z.object({
  email: z.string(),
  demo: z.boolean(),
  passwordHash: z.string().nullable(),
  identity: identitySchema.nullable(),
});

export const readAccount = async (tx: LedgerTransaction, id: string): Promise<z.infer<typeof broughtSchema>> => {
  const identity = { select: { issuer: true, subject: true } } as const;

  return broughtSchema.parse(
    await tx.user.findUnique({ where: { id }, select: { email: true, demo: true, passwordHash: true, identity } }),
  );
};

export const replacePassword = async (tx: LedgerTransaction, userId: string, passwordHash: string): Promise<void> => {
  await tx.user.updateMany({ where: { id: userId }, data: { passwordHash } });
};
