import { z } from "zod";
import { directoryUserSchema, getAddress, getShownName, type DirectoryUser } from "@/lib/people/directory-user";
import { runInWorkspace } from "@/server/db/client";
import type { LedgerTransaction } from "@/server/store/runs/attempts";

const rowSchema = directoryUserSchema.extend({ userId: z.string(), createdAt: z.date(), changedAt: z.date() });

export type DirectoryUserRow = {
  readonly id: string;
  readonly user: DirectoryUser;
  readonly createdAt: Date;
  readonly changedAt: Date;
};

const SELECT = {
  userId: true,
  userName: true,
  externalId: true,
  email: true,
  displayName: true,
  formattedName: true,
  givenName: true,
  familyName: true,
  active: true,
  createdAt: true,
  changedAt: true,
} as const;

const readRow = (row: unknown): DirectoryUserRow => {
  const { userId: id, createdAt, changedAt, ...user } = rowSchema.parse(row);

  return { id, user, createdAt, changedAt };
};

export type UserFilter = {
  readonly id?: string;
  readonly userName?: string;
  readonly externalId?: string;
  readonly email?: string;
  readonly displayName?: string;
  readonly active?: boolean;
};

/** Prisma compares without case by `ilike`. */
const insensitive = (text: string) => ({
  equals: text.replaceAll(/[\\%_]/gu, (character) => `\\${character}`),
  mode: "insensitive" as const,
});

const whereOf = (workspaceId: string, { id, userName, email, ...exact }: UserFilter) => ({
  workspaceId,
  ...exact,
  ...(id === undefined ? {} : { userId: id }),
  ...(userName === undefined ? {} : { userName: insensitive(userName) }),
  ...(email === undefined ? {} : { OR: [{ email: email.toLowerCase() }, { email: null, userName: insensitive(email) }] }),
});

type Page = { readonly total: number; readonly rows: readonly DirectoryUserRow[] };

export const listDirectoryUsers = (
  workspaceId: string,
  filter: UserFilter,
  { skip, take }: { readonly skip: number; readonly take: number },
): Promise<Page> =>
  runInWorkspace(workspaceId, async (tx) => {
    const where = whereOf(workspaceId, filter);
    const total = await tx.directoryUser.count({ where });
    const rows =
      take === 0
        ? []
        : await tx.directoryUser.findMany({ where, select: SELECT, skip, take, orderBy: [{ createdAt: "asc" }, { userId: "asc" }] });

    return { total, rows: rows.map(readRow) };
  });

/** Runner's role only, like all that follows. */
export const readDirectoryUsers = async (
  tx: LedgerTransaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, DirectoryUser>> => {
  const rows = await tx.directoryUser.findMany({ where: { workspaceId, userId: { in: [...ids] } }, select: SELECT });

  return new Map(rows.map(readRow).map(({ id, user }) => [id, user]));
};

export const isUserNameTaken = async (tx: LedgerTransaction, workspaceId: string, userName: string, except: string): Promise<boolean> =>
  (await tx.directoryUser.count({ where: { workspaceId, userName: insensitive(userName), userId: { not: except } } })) > 0;

export const findAccountWith = async (
  tx: LedgerTransaction,
  email: string,
): Promise<{ readonly id: string; readonly hasPassword: boolean } | null> => {
  const user = await tx.user.findUnique({ where: { email }, select: { id: true, hasPassword: true } });

  return user && { id: user.id, hasPassword: user.hasPassword === true };
};

export const findMemberWith = async (tx: LedgerTransaction, workspaceId: string, email: string): Promise<string | null> =>
  (await tx.user.findFirst({ where: { email, memberships: { some: { workspaceId } } }, select: { id: true } }))?.id ?? null;

type Place = { readonly workspaceId: string; readonly userId: string };

export const writeDirectoryUser = async (tx: LedgerTransaction, place: Place, user: DirectoryUser, atMs: number): Promise<void> => {
  const changedAt = new Date(atMs);
  await tx.directoryUser.upsert({
    where: { workspaceId_userId: place },
    create: { ...place, ...user, createdAt: changedAt, changedAt },
    update: { ...user, changedAt },
  });
  const { workspaceId, userId } = place;
  await tx.$executeRaw`select rename_directory_user(${workspaceId}::uuid, ${userId}::uuid, ${getShownName(user)}, ${getAddress(user)})`;
};

export const deleteDirectoryUser = async (tx: LedgerTransaction, { workspaceId, userId }: Place): Promise<void> => {
  await tx.directoryUser.deleteMany({ where: { workspaceId, userId } });
};

export const disableNewMember = async (tx: LedgerTransaction, place: Place, atMs: number): Promise<void> => {
  await tx.membership.updateMany({ where: place, data: { disabledAt: new Date(atMs) } });
};
