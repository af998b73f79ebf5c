import { MODEL_SECRETS } from "@/lib/secrets/reference";
import { systemClock } from "@/server/clock";
import { openSecret } from "@/server/security/secrets";
import type { Vault } from "@/server/security/vault";
import { getDatabase, runInWorkspace, scopeToWorkspace, type Transaction } from "@/server/db/client";
import type { LedgerTransaction } from "@/server/store/runs/attempts";

export const MOST_SECRETS = 500;

/** A use is noted once a minute. */
const NOTED_MS = 60_000;

/** Null: for each environment without a value of its own. */
type SecretScope = string | null;

const toColumn = (scope: SecretScope): string => scope ?? "";
const toScope = (environment: string): SecretScope => (environment === "" ? null : environment);

/** Without the keys of model providers. */
export const listSecrets = async (workspaceId: string) => {
  const rows = await scopeToWorkspace(workspaceId).secret.findMany({
    where: { workspaceId, NOT: { name: { startsWith: MODEL_SECRETS } } },
    orderBy: [{ name: "asc" }, { environment: "asc" }],
    select: { name: true, environment: true, version: true, createdAt: true, rotatedAt: true, usedAt: true },
    take: MOST_SECRETS,
  });

  return rows.map((row) => ({ ...row, environment: toScope(row.environment) }));
};

export type ListedSecret = Awaited<ReturnType<typeof listSecrets>>[number];

type SecretKey = { readonly name: string; readonly environment: SecretScope };

/** @param sealed by `sealSecret` under this key @returns its version; null at the limit */
export const putSecret = (
  workspaceId: string,
  { name, environment: scope }: SecretKey,
  sealed: Uint8Array<ArrayBuffer>,
  userId: string,
): Promise<number | null> =>
  runInWorkspace(workspaceId, async (tx) => {
    const environment = toColumn(scope);
    // Serialises additions for the limit.
    await tx.$executeRaw`select pg_advisory_xact_lock(hashtext('countersign.secrets ' || ${workspaceId}))`;
    const replaced = await tx.secret.updateMany({
      where: { workspaceId, name, environment },
      data: { sealed, version: { increment: 1 }, rotatedAt: new Date(systemClock.now()) },
    });
    if (replaced.count === 0) {
      if ((await tx.secret.count({ where: { workspaceId } })) >= MOST_SECRETS) return null;
      // Prisma would insert defaults of columns that only the runner may write.
      await tx.$executeRaw`
        insert into secret (workspace_id, name, environment, sealed, created_by)
        values (${workspaceId}::uuid, ${name}, ${environment}, ${sealed}, ${userId}::uuid)`;
    }
    const row = await tx.secret.findFirstOrThrow({ where: { workspaceId, name, environment }, select: { version: true } });

    return row.version;
  });

/** @returns false when missing */
export const removeSecret = async (workspaceId: string, { name, environment }: SecretKey): Promise<boolean> => {
  const { count } = await scopeToWorkspace(workspaceId).secret.deleteMany({
    where: { workspaceId, name, environment: toColumn(environment) },
  });

  return count === 1;
};

export const removeSecretsOf = async (tx: LedgerTransaction, workspaceId: string, environment: string): Promise<void> => {
  await tx.secret.deleteMany({ where: { workspaceId, environment } });
};

type SealedSecret = SecretKey & { readonly sealed: Uint8Array<ArrayBuffer>; readonly version: number };

/** Runner's role only. An environment's own value, else the shared one. */
export const sealedSecret = async (workspaceId: string, name: string, scope: SecretScope = null): Promise<SealedSecret | null> => {
  const row = await getDatabase().secret.findFirst({
    where: { workspaceId, name, environment: { in: ["", toColumn(scope)] } },
    orderBy: { environment: "desc" },
    select: { name: true, environment: true, sealed: true, version: true },
  });

  return row && { ...row, environment: toScope(row.environment) };
};

type SecretVersions = {
  readonly text: string;
  readonly scope: SecretScope;
};

export const getSecretVersions = async (workspaceId: string, names: readonly string[], scope: SecretScope): Promise<SecretVersions> => {
  const rows = await getDatabase().secret.findMany({
    where: { workspaceId, name: { in: [...new Set(names)] }, environment: { in: ["", toColumn(scope)] } },
    orderBy: [{ name: "asc" }, { environment: "asc" }],
    select: { name: true, environment: true, version: true, createdAt: true },
  });

  return { text: JSON.stringify(rows), scope: rows.some(({ environment }) => environment !== "") ? scope : null };
};

/** Records its use. @returns null when missing or unopenable */
export const readSecret = async (vault: Vault, workspaceId: string, name: string, scope: SecretScope = null): Promise<string | null> => {
  const found = await sealedSecret(workspaceId, name, scope);
  const value = found && openSecret(vault, workspaceId, name, found.sealed, found.environment);
  if (found && value !== null) {
    const now = systemClock.now();
    const isUnnoted = { OR: [{ usedAt: null }, { usedAt: { lt: new Date(now - NOTED_MS) } }] };
    await getDatabase().secret.updateMany({
      where: { workspaceId, name, environment: toColumn(found.environment), ...isUnnoted },
      data: { usedAt: new Date(now) },
    });
  }

  return value;
};

export const listMissingSecrets = async (
  { secret }: Pick<Transaction, "secret">,
  workspaceId: string,
  names: readonly string[],
  environment: string,
): Promise<readonly string[]> => {
  if (names.length === 0) return [];
  const where = { workspaceId, name: { in: [...names] }, environment: { in: ["", environment] } };
  const found = new Set((await secret.findMany({ where, select: { name: true } })).map(({ name }) => name));

  return names.filter((name) => !found.has(name));
};

export type StoredSecret = SecretKey & { readonly workspace: string; readonly sealed: Uint8Array<ArrayBuffer> };

export const listStoredSecrets = async (): Promise<readonly StoredSecret[]> => {
  const rows = await getDatabase().secret.findMany({ select: { workspaceId: true, name: true, environment: true, sealed: true } });

  return rows.map(({ workspaceId: workspace, environment, ...secret }) => ({ ...secret, workspace, environment: toScope(environment) }));
};

export const storeResealed = async (
  { workspace: workspaceId, name, environment, sealed }: StoredSecret,
  next: Uint8Array<ArrayBuffer>,
): Promise<void> => {
  await getDatabase().secret.updateMany({
    where: { workspaceId, name, environment: toColumn(environment), sealed },
    data: { sealed: next },
  });
};
