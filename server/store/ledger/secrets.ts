import { systemClock } from "@/server/clock";
import { openSecret } from "@/server/security/secrets";
import type { Vault } from "@/server/security/vault";
import { getDatabase, runInWorkspace, scopeToWorkspace } from "@/server/db/client";

export const MOST_SECRETS = 500;

/** A use is noted once a minute. */
const NOTED_MS = 60_000;

export const listSecrets = (workspaceId: string) =>
  scopeToWorkspace(workspaceId).secret.findMany({
    where: { workspaceId },
    orderBy: { name: "asc" },
    select: { name: true, version: true, createdAt: true, rotatedAt: true, usedAt: true },
    take: MOST_SECRETS,
  });

export type ListedSecret = Awaited<ReturnType<typeof listSecrets>>[number];

/** Stores a secret. @param sealed by `sealSecret` under this name @returns its version; null at the limit */
export const putSecret = (workspaceId: string, name: string, sealed: Uint8Array<ArrayBuffer>, userId: string): Promise<number | null> =>
  runInWorkspace(workspaceId, async (tx) => {
    // Serialises additions for the limit.
    await tx.$executeRaw`select pg_advisory_xact_lock(hashtext('countersign.secrets ' || ${workspaceId}))`;
    const replaced = await tx.secret.updateMany({
      where: { workspaceId, name },
      data: { sealed, version: { increment: 1 }, rotatedAt: new Date(systemClock.now()) },
    });
    if (replaced.count === 0) {
      if ((await tx.secret.count({ where: { workspaceId } })) >= MOST_SECRETS) return null;
      // The web process may insert no other columns, and Prisma would insert their defaults.
      await tx.$executeRaw`
        insert into secret (workspace_id, name, sealed, created_by) values (${workspaceId}::uuid, ${name}, ${sealed}, ${userId}::uuid)`;
    }
    const row = await tx.secret.findFirstOrThrow({ where: { workspaceId, name }, select: { version: true } });

    return row.version;
  });

/** @returns false when missing */
export const removeSecret = async (workspaceId: string, name: string): Promise<boolean> => {
  const { count } = await scopeToWorkspace(workspaceId).secret.deleteMany({ where: { workspaceId, name } });

  return count === 1;
};

export type SealedSecret = { readonly sealed: Uint8Array<ArrayBuffer>; readonly version: number };

/** Runner's role only. */
export const sealedSecret = (workspaceId: string, name: string): Promise<SealedSecret | null> =>
  getDatabase().secret.findFirst({ where: { workspaceId, name }, select: { sealed: true, version: true } });

/** Changes with any of them. */
export const getSecretVersions = async (workspaceId: string, names: readonly string[]): Promise<string> => {
  const rows = await getDatabase().secret.findMany({
    where: { workspaceId, name: { in: [...new Set(names)] } },
    orderBy: { name: "asc" },
    select: { name: true, version: true, createdAt: true },
  });

  return JSON.stringify(rows);
};

/** Opens a secret and records its use. @returns null when missing or unopenable */
export const readSecret = async (vault: Vault, workspaceId: string, name: string): Promise<string | null> => {
  const found = await sealedSecret(workspaceId, name);
  const value = found && openSecret(vault, workspaceId, name, found.sealed);
  if (value !== null) {
    const now = systemClock.now();
    const isUnnoted = { OR: [{ usedAt: null }, { usedAt: { lt: new Date(now - NOTED_MS) } }] };
    await getDatabase().secret.updateMany({ where: { workspaceId, name, ...isUnnoted }, data: { usedAt: new Date(now) } });
  }

  return value;
};

export type StoredSecret = { readonly workspace: string; readonly name: string; readonly sealed: Uint8Array<ArrayBuffer> };

/** All sealed values, for rotation. */
export const listStoredSecrets = async (): Promise<readonly StoredSecret[]> => {
  const rows = await getDatabase().secret.findMany({ select: { workspaceId: true, name: true, sealed: true } });

  return rows.map(({ workspaceId: workspace, ...secret }) => ({ workspace, ...secret }));
};

/** Skips values changed meanwhile. */
export const storeResealed = async (
  { workspace: workspaceId, name, sealed }: StoredSecret,
  next: Uint8Array<ArrayBuffer>,
): Promise<void> => {
  await getDatabase().secret.updateMany({ where: { workspaceId, name, sealed }, data: { sealed: next } });
};
