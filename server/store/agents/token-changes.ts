import type { TokenSettings } from "@/lib/engine/ledger/settings-digests";
import type { TokenScope } from "@/lib/engine/principal";
import type { NewToken } from "@/lib/outside/token-command";
import { oauthGrantSchema, type OauthGrant } from "@/lib/outside/oauth-grant";
import { tokenLimitsSchema } from "@/lib/outside/token-limits";
import type { LedgerTransaction } from "@/server/store/runs/attempts";

type Row = NonNullable<Awaited<ReturnType<LedgerTransaction["agentToken"]["findFirst"]>>>;

const toSettings = (row: Row): TokenSettings => ({
  hash: row.hash,
  publicKey: row.publicKey,
  ownerId: row.ownerId,
  audience: row.audience,
  scopes: row.scopes,
  graphs: row.allGraphs ? null : row.graphs,
  environments: row.environments,
  integrity: row.integrity,
  strictErrors: row.strictErrors,
  singleBlock: row.singleBlock,
  limits: tokenLimitsSchema.nullable().parse(row.limits),
  oauth: oauthGrantSchema.nullable().parse(row.oauth),
  expiresAt: row.expiresAt.getTime(),
  isRevoked: row.revokedAt !== null,
});

export const findStoredToken = async (tx: LedgerTransaction, workspaceId: string, id: string): Promise<TokenSettings | null> => {
  await tx.$executeRaw`select 1 from agent_token where workspace_id = ${workspaceId}::uuid and id = ${id}::uuid for update`;
  const row = await tx.agentToken.findFirst({ where: { workspaceId, id } });

  return row && toSettings(row);
};

const activeWhere = (workspaceId: string, ownerId: string, atMs: number) => ({
  workspaceId,
  ownerId,
  revokedAt: null,
  expiresAt: { gt: new Date(atMs) },
  scopes: { has: "approvals:decide" satisfies TokenScope },
});

export const listPersonalTokens = async (tx: LedgerTransaction, workspaceId: string, ownerId: string, atMs: number) =>
  (await tx.agentToken.findMany({ where: activeWhere(workspaceId, ownerId, atMs), orderBy: { id: "asc" } })).map((row) => ({
    id: row.id,
    settings: toSettings(row),
  }));

export const revokePersonalTokens = async (tx: LedgerTransaction, workspaceId: string, ownerId: string, atMs: number): Promise<void> => {
  await tx.agentToken.updateMany({ where: activeWhere(workspaceId, ownerId, atMs), data: { revokedAt: new Date(atMs) } });
};

export const insertToken = async (
  tx: LedgerTransaction,
  workspaceId: string,
  token: Omit<NewToken, "lifetimeMs" | "oauth"> & {
    readonly ownerId: string;
    readonly expiresAt: number;
    readonly oauth: OauthGrant | null;
  },
  atMs: number,
): Promise<void> => {
  const { id, name, hash, hint, audience, scopes, graphs, integrity, strictErrors, singleBlock, ownerId, limits, publicKey } = token;
  const row = { workspaceId, id, name, hash, hint, audience, integrity, strictErrors, singleBlock, ownerId, limits, publicKey };
  const times = { createdAt: new Date(atMs), expiresAt: new Date(token.expiresAt) };
  await tx.agentToken.createMany({
    data: {
      ...row,
      ...times,
      ...(token.oauth ? { oauth: token.oauth } : {}),
      scopes: [...scopes],
      graphs: [...(graphs ?? [])],
      environments: [...(token.environments ?? [])],
      allGraphs: graphs === null,
    },
  });
};

type Secret = Pick<NewToken, "hash" | "publicKey" | "hint"> & { readonly expiresAt: number; readonly oauth?: OauthGrant };

export const replaceSecret = async (
  tx: LedgerTransaction,
  workspaceId: string,
  id: string,
  { expiresAt, ...secret }: Secret,
): Promise<void> => {
  await tx.agentToken.updateMany({ where: { workspaceId, id, revokedAt: null }, data: { ...secret, expiresAt: new Date(expiresAt) } });
};

export const revokeToken = async (tx: LedgerTransaction, workspaceId: string, id: string, atMs: number): Promise<void> => {
  await tx.agentToken.updateMany({ where: { workspaceId, id, revokedAt: null }, data: { revokedAt: new Date(atMs) } });
};
