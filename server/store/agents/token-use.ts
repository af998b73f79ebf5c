import { z } from "zod";
import { batchCalls } from "@/lib/batch-calls";
import { DAY_MS, NO_USE, type TokenLimits, type TokenUse } from "@/lib/outside/token-limits";
import { systemClock } from "@/server/clock";
import { inTransaction, runRead } from "@/server/db/client";
import type { LedgerTransaction } from "@/server/store/runs/attempts";
import { execute, queryRows, type SqlClient } from "@/server/store/sql/rows";

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
`;

const LISTED = `${USED} select token_id::text as "tokenId", kind, extract(epoch from at)::double precision * 1000 as "atMs",
  amount::double precision from used`;
const SUMMED = `${USED} select token_id::text as "tokenId", coalesce(sum(amount) filter (where kind = 'runs'), 0)::double precision as runs,
  coalesce(sum(amount) filter (where kind = 'sessions'), 0)::double precision as sessions,
  coalesce(sum(amount) filter (where kind = 'micro_usd'), 0)::double precision as micro_usd from used group by token_id`;
const summedSchema = z.object({ tokenId: z.string(), runs: z.number(), sessions: z.number(), micro_usd: z.number() });
const UNUSED: TokenLimits = { runs: 0, sessions: 0, micro_usd: 0 };

const readUse = async (
  client: SqlClient,
  workspaceId: string,
  tokenIds: readonly string[],
  atMs: number,
): Promise<ReadonlyMap<string, TokenUse>> => {
  const rows = await queryRows(client, usedSchema, { text: LISTED, values: [tokenIds, atMs - DAY_MS, workspaceId] });
  const byToken = Map.groupBy(rows, ({ tokenId }) => tokenId);

  return new Map(
    tokenIds.map((id) => {
      const { runs = [], sessions = [], micro_usd = [] } = Object.groupBy(byToken.get(id) ?? [], ({ kind }) => kind);

      return [id, { runs, sessions, micro_usd }];
    }),
  );
};

export const countTokenUses = (workspaceId: string, tokenIds: readonly string[], atMs: number): Promise<ReadonlyMap<string, TokenUse>> =>
  runRead(workspaceId, (client) => readUse(client, workspaceId, tokenIds, atMs));

export const useOfToken = async (workspaceId: string, tokenId: string, atMs: number): Promise<TokenUse> =>
  (await countTokenUses(workspaceId, [tokenId], atMs)).get(tokenId) ?? NO_USE;

const sumUses = async (
  client: SqlClient,
  workspaceId: string,
  tokenIds: readonly string[],
  atMs: number,
): Promise<(tokenId: string) => TokenLimits> => {
  const rows = await queryRows(client, summedSchema, { text: SUMMED, values: [tokenIds, atMs - DAY_MS, workspaceId] });
  const used = new Map(rows.map(({ tokenId, ...use }) => [tokenId, use]));

  return (tokenId) => used.get(tokenId) ?? UNUSED;
};

const queuedSchema = z.object({ tokenId: z.string(), queued: z.number() });
const QUEUED = `select token_id::text as "tokenId", count(*)::int as queued from command
  where workspace_id = $1 and token_id = any ($2::uuid[]) and kind = 'start' and status = 'pending' group by token_id`;

const MOST_AT_ONCE = 200;

/** Use of the last 24 hours, undecided starts included. */
export const useWithQueued = batchCalls(
  (workspaceId, tokenIds: readonly string[]): Promise<readonly TokenLimits[]> =>
    runRead(workspaceId, async (client) => {
      const rows = await queryRows(client, queuedSchema, { text: QUEUED, values: [workspaceId, tokenIds] });
      const queued = new Map(rows.map((row) => [row.tokenId, row.queued]));
      const useOf = await sumUses(client, workspaceId, tokenIds, systemClock.now());

      return tokenIds.map((id) => ({ ...useOf(id), runs: useOf(id).runs + (queued.get(id) ?? 0) }));
    }),
  MOST_AT_ONCE,
);

/** Locks the use of tokens: inserts stay within the limits. */
export const holdTokenUses = async (
  client: SqlClient,
  workspaceId: string,
  tokenIds: readonly string[],
  atMs: number,
): Promise<(tokenId: string) => TokenLimits> => {
  // Ordered against deadlocks.
  const text = "select 1 from agent_token where workspace_id = $1::uuid and id = any ($2::uuid[]) order by id for no key update";
  await execute(client, { text, values: [workspaceId, tokenIds] });

  // Only a later statement sees what the locks waited for.
  return sumUses(client, workspaceId, tokenIds, atMs);
};

export const holdTokenUse = async (tx: LedgerTransaction, workspaceId: string, tokenId: string, atMs: number): Promise<TokenLimits> =>
  (await holdTokenUses(tx, workspaceId, [tokenId], atMs))(tokenId);

export const withTokenUse = <T>(
  workspaceId: string,
  tokenId: string,
  atMs: number,
  work: (used: TokenLimits, tx: LedgerTransaction) => Promise<T>,
): Promise<T> => inTransaction(async (tx) => work(await holdTokenUse(tx, workspaceId, tokenId, atMs), tx));
