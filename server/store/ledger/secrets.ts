import { z } from "zod";
import { systemClock } from "@/server/clock";
import { openSecret } from "@/server/security/secrets";
import type { Vault } from "@/server/security/vault";
import { runInWorkspace, getPool, scopeToWorkspace } from "@/server/db/client";

export const MOST_SECRETS = 500;

const listedRow = z.object({
  name: z.string(),
  version: z.number().int(),
  createdAt: z.date(),
  rotatedAt: z.date().nullable(),
  usedAt: z.date().nullable(),
});
export type ListedSecret = z.infer<typeof listedRow>;

const LISTED = { name: true, version: true, createdAt: true, rotatedAt: true, usedAt: true } as const;

/** Names and dates, by name. */
export const listSecrets = async (workspaceId: string): Promise<readonly ListedSecret[]> => {
  const rows = await scopeToWorkspace(workspaceId).secret.findMany({
    where: { workspaceId },
    orderBy: { name: "asc" },
    select: LISTED,
    take: MOST_SECRETS,
  });

  return z.array(listedRow).parse(rows);
};

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

const bytes = z.instanceof(Uint8Array);
const sealedRow = z.object({ sealed: bytes, version: z.number().int() });
export type SealedSecret = z.infer<typeof sealedRow>;

/** Runner's role only. */
export const sealedSecret = async (workspaceId: string, name: string): Promise<SealedSecret | null> => {
  const { rows } = await getPool().query("select sealed, version from secret where workspace_id = $1 and name = $2", [workspaceId, name]);

  return rows[0] === undefined ? null : sealedRow.parse(rows[0]);
};

const versionRow = z.object({ name: z.string(), version: z.number().int(), created: z.string() });

/** Changes with any of them. */
export const getSecretVersions = async (workspaceId: string, names: readonly string[]): Promise<string> => {
  const { rows } = await getPool().query(
    `select name, version, extract(epoch from created_at)::text as created from secret where workspace_id = $1 and name = any($2::text[]) order by name`,
    [workspaceId, [...new Set(names)]],
  );

  return JSON.stringify(z.array(versionRow).parse(rows));
};

/** Opens a secret and records its use. @returns null when missing or unopenable */
export const readSecret = async (vault: Vault, workspaceId: string, name: string): Promise<string | null> => {
  const found = await sealedSecret(workspaceId, name);
  const value = found && openSecret(vault, workspaceId, name, found.sealed);
  if (value !== null) {
    await getPool().query(
      `update secret set used_at = now() where workspace_id = $1 and name = $2 and (used_at is null or used_at < now() - interval '1 minute')`,
      [workspaceId, name],
    );
  }

  return value;
};

const storedRow = z.object({ workspace: z.string(), name: z.string(), sealed: bytes });
export type StoredSecret = z.infer<typeof storedRow>;

/** All sealed values, for rotation. */
export const listStoredSecrets = async (): Promise<readonly StoredSecret[]> => {
  const { rows } = await getPool().query("select workspace_id as workspace, name, sealed from secret");

  return z.array(storedRow).parse(rows);
};

/** Skips values changed meanwhile. */
export const storeResealed = async ({ workspace, name, sealed }: StoredSecret, next: Uint8Array): Promise<void> => {
  await getPool().query("update secret set sealed = $4 where workspace_id = $1 and name = $2 and sealed = $3", [
    workspace,
    name,
    Buffer.from(sealed),
    Buffer.from(next),
  ]);
};
