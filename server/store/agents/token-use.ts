import { z } from "zod";
import { DAY_MS, NO_USE, toUsed, type TokenLimits, type TokenUse } from "@/lib/outside/token-limits";
import { runRead, runTransaction } from "@/server/db/client";
import type { LedgerClient } from "@/server/store/runs/attempts";

const usedSchema = z.object({ tokenId: z.string(), kind: z.enum(["runs", "sessions", "micro_usd"]), atMs: z.number(), amount: z.number() });

/** $1 tokens, $2 since when, $3 the workspace. */
const USED = `with active as (
  select token_id, created_at, updated_at, total_micro_usd + reserved_micro_usd as cost from run
  where workspace_id = $3 and token_id = any ($1::uuid[]) and updated_at > to_timestamp($2::double precision / 1000)
), used as (
  select token_id, 'runs' as kind, created_at as at, 1 as amount from active where created_at > to_timestamp($2::double precision / 1000)
  union all select token_id, 'micro_usd', updated_at, cost from active where cost > 0
  union all select token_id, 'sessions', created_at, 1 from agent_session
    where workspace_id = $3 and token_id = any ($1::uuid[]) and created_at > to_timestamp($2::double precision / 1000)
)
select token_id::text as "tokenId", kind, extract(epoch from at)::double precision * 1000 as "atMs", amount::double precision from used`;

const readUse = async (
  client: LedgerClient,
  workspaceId: string,
  tokenIds: readonly string[],
  atMs: number,
): Promise<ReadonlyMap<string, TokenUse>> => {
  const { rows } = await client.query(USED, [tokenIds, atMs - DAY_MS, workspaceId]);
  const byToken = Map.groupBy(z.array(usedSchema).parse(rows), ({ tokenId }) => tokenId);

  return new Map(
    tokenIds.map((id) => {
      const { runs = [], sessions = [], micro_usd = [] } = Object.groupBy(byToken.get(id) ?? [], ({ kind }) => kind);

      return [id, { runs, sessions, micro_usd }];
    }),
  );
};

/** Counts under the web process's role. */
export const countTokenUses = (workspaceId: string, tokenIds: readonly string[], atMs: number): Promise<ReadonlyMap<string, TokenUse>> =>
  runRead(workspaceId, (client) => readUse(client, workspaceId, tokenIds, atMs));

/** `countTokenUses` of one token. */
export const useOfToken = async (workspaceId: string, tokenId: string, atMs: number): Promise<TokenUse> =>
  (await countTokenUses(workspaceId, [tokenId], atMs)).get(tokenId) ?? NO_USE;

/** Locks a token's use for the transaction: inserts stay within the limit. */
export const holdTokenUse = async (client: LedgerClient, workspaceId: string, tokenId: string, atMs: number): Promise<TokenLimits> => {
  await client.query("select id::text from agent_token where workspace_id = $1 and id = $2 for no key update", [workspaceId, tokenId]);
  const use = await readUse(client, workspaceId, [tokenId], atMs);

  return toUsed(use.get(tokenId) ?? NO_USE);
};

/** Calls `holdTokenUse` and `work` in one transaction. */
export const withTokenUse = <T>(
  workspaceId: string,
  tokenId: string,
  atMs: number,
  work: (used: TokenLimits, client: LedgerClient) => Promise<T>,
): Promise<T> => runTransaction(async (client) => work(await holdTokenUse(client, workspaceId, tokenId, atMs), client));
