import { z } from "zod";
import type { TokenSettings } from "@/lib/engine/ledger/settings-digests";
import type { NewToken } from "@/lib/outside/token-command";
import { tokenLimitsSchema } from "@/lib/outside/token-limits";
import type { LedgerClient } from "@/server/store/runs/attempts";

const rowSchema = z.object({
  hash: z.string(),
  publicKey: z.string().nullable(),
  ownerId: z.string(),
  audience: z.string(),
  scopes: z.array(z.string()),
  graphs: z.array(z.string()).nullable(),
  integrity: z.string(),
  strictErrors: z.boolean(),
  singleBlock: z.boolean(),
  limits: tokenLimitsSchema.nullable(),
  expiresAt: z.number(),
  isRevoked: z.boolean(),
});

/** Returns a token, or null. */
export const findStoredToken = async (client: LedgerClient, workspaceId: string, id: string): Promise<TokenSettings | null> => {
  const { rows } = await client.query(
    `select hash, public_key as "publicKey", owner_id::text as "ownerId", audience, scopes, case when all_graphs then null else graphs::text[] end as graphs, integrity,
       strict_errors as "strictErrors", single_block as "singleBlock", limits,
       (extract(epoch from expires_at) * 1000)::double precision as "expiresAt", revoked_at is not null as "isRevoked"
     from agent_token where workspace_id = $1 and id = $2 for update`,
    [workspaceId, id],
  );

  return rows[0] === undefined ? null : rowSchema.parse(rows[0]);
};

/** Inserts a token. */
export const insertToken = async (
  client: LedgerClient,
  workspaceId: string,
  token: Omit<NewToken, "lifetimeMs"> & { readonly ownerId: string; readonly expiresAt: number },
  atMs: number,
): Promise<void> => {
  await client.query(
    `insert into agent_token (workspace_id, id, name, hash, hint, audience, scopes, graphs, all_graphs, integrity, strict_errors,
       single_block, owner_id, created_at, expires_at, limits, public_key)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, to_timestamp($14::double precision / 1000),
       to_timestamp($15::double precision / 1000), $16, $17)`,
    [
      workspaceId,
      token.id,
      token.name,
      token.hash,
      token.hint,
      token.audience,
      token.scopes,
      token.graphs ?? [],
      token.graphs === null,
      token.integrity,
      token.strictErrors,
      token.singleBlock,
      token.ownerId,
      atMs,
      token.expiresAt,
      JSON.stringify(token.limits),
      token.publicKey,
    ],
  );
};

/** Revokes a token. */
export const revokeToken = async (client: LedgerClient, workspaceId: string, id: string, atMs: number): Promise<void> => {
  await client.query(
    `update agent_token set revoked_at = to_timestamp($3::double precision / 1000)
     where workspace_id = $1 and id = $2 and revoked_at is null`,
    [workspaceId, id, atMs],
  );
};
