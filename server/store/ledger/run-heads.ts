/** Runner's role only. */
import { z } from "zod";
import { GENESIS_PARENT } from "@/lib/engine/state";
import { batchCalls } from "@/lib/batch-calls";
import { TOKEN_LIMIT_CODES, type TokenLimitCode, type TokenLimits } from "@/lib/outside/token-limits";
import { getDatabase, getPool, runTransaction } from "@/server/db/client";
import { HELD } from "@/server/db/restored";
import { columnsOf, execute, hideValue, queryRow, queryRows, type SqlClient } from "@/server/store/sql/rows";
import { holdTokenUses } from "@/server/store/agents/token-use";

const headRow = z.object({
  workspaceId: z.string(),
  id: z.string(),
  graphId: z.string(),
  graphHash: z.string(),
  status: z.string(),
  version: z.number(),
  head: z.string(),
  leaseEpoch: z.number(),
  parentRun: z.string().nullable(),
  forkSeq: z.number().nullable(),
  frozen: z.string().nullable(),
  environment: z.string().nullable(),
});
export type RunHead = z.infer<typeof headRow>;

export type ForkPlace = {
  readonly parentRun: string;
  /** First record that is not the parent's. */
  readonly seq: number;
  readonly head: string;
  readonly simulated: boolean;
};

export type NewRun = {
  readonly workspaceId: string;
  readonly runId: string;
  readonly graphId: string;
  readonly graphHash: string;
  readonly initiatorId: string;
  readonly at: number;
  readonly fork?: ForkPlace;
  /** Null: the workspace has only the default one. */
  readonly environment?: string | null;
  readonly token?: { readonly id: string; readonly limits: TokenLimits };
};

const insertRun = (client: SqlClient, { fork, token, environment = null, ...run }: NewRun): Promise<number> =>
  execute(client, {
    name: "insert-run",
    text: `insert into run (workspace_id, id, graph_id, graph_hash, initiator_id, status, version, head, created_at, updated_at,
       parent_run, fork_seq, simulated, token_id, environment)
     values ($1::uuid, $2::uuid, $3::uuid, $4, $5::uuid, 'pending', $6::int, $7, to_timestamp($8::double precision / 1000),
       to_timestamp($8::double precision / 1000), $9::uuid, $10::int, $11::boolean, $12::uuid, $13)
     on conflict do nothing`,
    values: [
      run.workspaceId,
      run.runId,
      run.graphId,
      run.graphHash,
      run.initiatorId,
      fork?.seq ?? 0,
      fork?.head ?? GENESIS_PARENT,
      run.at,
      fork?.parentRun ?? null,
      fork?.seq ?? null,
      fork?.simulated ?? false,
      token?.id ?? null,
      environment,
    ],
  });

const MOST_AT_ONCE = 200;

type TokenRun = NewRun & Required<Pick<NewRun, "token">>;

const createWithinLimits = batchCalls(
  (workspaceId, runs: readonly TokenRun[]): Promise<readonly (TokenLimitCode | null)[]> =>
    runTransaction(async (client) => {
      const tokenIds = [...new Set(runs.map(({ token }) => token.id))];
      const usedBefore = await holdTokenUses(client, workspaceId, tokenIds, Math.min(...runs.map(({ at }) => at)));
      const created = new Map<string, number>();
      const answers: (TokenLimitCode | null)[] = [];
      for (const run of runs) {
        const { id, limits } = run.token;
        const before = usedBefore(id);
        const used = { ...before, runs: before.runs + (created.get(id) ?? 0) };
        const full = (["runs", "micro_usd"] as const).find((limit) => used[limit] >= limits[limit]);
        if (!full) created.set(id, (created.get(id) ?? 0) + (await insertRun(client, run)));
        answers.push(full ? TOKEN_LIMIT_CODES[full] : null);
      }

      return answers;
    }),
  MOST_AT_ONCE,
);

/** Creates an empty run. Idempotent. @returns the token limit that prevented it */
export const createRunHead = async ({ token, ...run }: NewRun): Promise<TokenLimitCode | null> => {
  if (token) return createWithinLimits(run.workspaceId, { ...run, token });
  await insertRun(getPool(), run);

  return null;
};

const takenRow = headRow.extend({ isEmpty: z.boolean() });
export type TakenRun = z.infer<typeof takenRow>;

const TAKEN = columnsOf(takenRow, {
  isEmpty: "version = 0 and parent_run is null and not exists (select 1 from ledger_record where run_id = run.id)",
});

type Wanted = { readonly workspaceId: string; readonly runId: string; readonly leaseMs: number };

const takeLeases = batchCalls(async (which: string, wanted: readonly Wanted[]): Promise<readonly (TakenRun | null)[]> => {
  const rows = await queryRows(getPool(), takenRow, {
    name: "take-leases",
    text: `update run set lease_epoch = lease_epoch + 1, lease_until = now() + make_interval(secs => asked.lease_ms / 1000)
     from unnest(${hideValue("uuid[]", 1)}, ${hideValue("uuid[]", 2)}, ${hideValue("double precision[]", 3)}) as asked (of_workspace, of_run, lease_ms)
     where workspace_id = of_workspace and id = of_run and id in (
       select id from run where id = any (${hideValue("uuid[]", 2)}::uuid[]) and ($5 or lease_until is null or lease_until < now())
         and not starts_with(coalesce(frozen, ''), $4)
       for no key update skip locked)
     returning ${TAKEN}`,
    values: [
      wanted.map(({ workspaceId }) => workspaceId),
      wanted.map(({ runId }) => runId),
      wanted.map(({ leaseMs }) => leaseMs),
      HELD,
      which === "any",
    ],
  });
  const taken = new Map(rows.map((row) => [`${row.workspaceId} ${row.id}`, row]));

  return wanted.map(({ workspaceId, runId }) => {
    const key = `${workspaceId} ${runId}`;
    const row = taken.get(key) ?? null;
    // For the first alone.
    taken.delete(key);

    return row;
  });
}, MOST_AT_ONCE);

/**
 * Takes a free lease by the database's clock. The new epoch fences earlier holders. Skips held runs, and locked rows: no opener waits.
 * @param evenIfHeld the holder is invalid
 */
export const takeLease = (
  workspaceId: string,
  runId: string,
  leaseMs: number,
  { evenIfHeld = false }: { readonly evenIfHeld?: boolean } = {},
): Promise<TakenRun | null> => takeLeases(evenIfHeld ? "any" : "free", { workspaceId, runId, leaseMs });

type HeldLease = { readonly runId: string; readonly epoch: number; readonly leaseMs: number };

const renewalRow = z.object({ id: z.string(), leaseEpoch: z.number(), renewed: z.boolean() });

/**
 * Renews leases without waiting: writers of locked rows could wait for us, so those are `skipped`. A lease (`<run> <epoch>`) in neither set
 * has another holder.
 */
export const renewLeases = async (
  leases: readonly HeldLease[],
): Promise<{ readonly renewed: ReadonlySet<string>; readonly skipped: ReadonlySet<string> }> => {
  const rows = await queryRows(getPool(), renewalRow, {
    text: `with asked as (select * from unnest($1::uuid[], $2::int[], $3::double precision[]) as a (id, epoch, lease_ms)),
     free as (select r.id, a.lease_ms from run r join asked a on a.id = r.id and a.epoch = r.lease_epoch
       where r.lease_until is not null for no key update of r skip locked),
     renewed as (update run r set lease_until = now() + make_interval(secs => f.lease_ms / 1000) from free f where r.id = f.id returning r.id)
     select r.id, r.lease_epoch as "leaseEpoch", n.id is not null as renewed
     from run r join asked a on a.id = r.id and a.epoch = r.lease_epoch left join renewed n on n.id = r.id
     where r.lease_until is not null`,
    values: [leases.map(({ runId }) => runId), leases.map(({ epoch }) => epoch), leases.map(({ leaseMs }) => leaseMs)],
  });
  const keys = (isRenewed: boolean) =>
    new Set(rows.filter(({ renewed }) => renewed === isRenewed).map((row) => `${row.id} ${row.leaseEpoch}`));

  return { renewed: keys(true), skipped: keys(false) };
};

export const releaseLease = async (workspaceId: string, runId: string, epoch: number): Promise<void> => {
  await getPool().query({
    name: "release-lease",
    text: "update run set lease_until = null, drive_after = null where workspace_id = $1 and id = $2 and lease_epoch = $3 and lease_until is not null",
    values: [workspaceId, runId, epoch],
  });
};

/** Commands still open it. @returns false: no free run of this id */
export const holdBack = async (workspaceId: string, runId: string, ms: number): Promise<boolean> => {
  const held = await execute(getPool(), {
    text: `update run set drive_after = now() + make_interval(secs => $3::double precision / 1000) where workspace_id = $1 and id = $2 and (lease_until is null or lease_until < now())`,
    values: [workspaceId, runId, ms],
  });

  return held === 1;
};

export const endHoldBacks = async (workspaceId: string): Promise<void> => {
  await getPool().query("update run set drive_after = null where workspace_id = $1 and drive_after is not null", [workspaceId]);
};

/** Freezes or thaws (null) a run. Sweeps skip frozen ones. @param epoch of the lease @returns false, unchanged, when outdated */
export const setFrozen = async (workspaceId: string, id: string, leaseEpoch: number, frozen: string | null): Promise<boolean> => {
  const isFrozen = frozen === null ? { frozen: { not: null } } : {};
  const { count } = await getDatabase().run.updateMany({ where: { workspaceId, id, leaseEpoch, ...isFrozen }, data: { frozen } });

  return count === 1;
};

export const thawRuns = async (reason: string): Promise<number> => {
  const { count } = await getDatabase().run.updateMany({ where: { frozen: { startsWith: `${reason} at ` } }, data: { frozen: null } });

  return count;
};

export const runHead = (workspaceId: string, runId: string): Promise<RunHead | null> =>
  queryRow(getPool(), headRow, {
    text: `select ${columnsOf(headRow)} from run where workspace_id = $1 and id = $2`,
    values: [workspaceId, runId],
  });

export const countForks = (workspaceId: string, parentRun: string): Promise<number> =>
  getDatabase().run.count({ where: { workspaceId, parentRun } });

const targetRow = z.object({ workspaceId: z.string(), runId: z.string() });
type Target = z.infer<typeof targetRow>;
const TARGET = columnsOf(targetRow, { runId: "id" });

const isNotHeldBack = (run: string): string => `(${run}drive_after is null or ${run}drive_after < now())`;
const isFree = (run: string): string => `(${run}lease_until is null or ${run}lease_until < now()) and ${isNotHeldBack(run)}`;

/** Abandoned runs, due ones, those with a pending command. Partial indexes keep waiting runs free. @param limit of each sort */
export const listDueRuns = (limit: number): Promise<Target[]> =>
  queryRows(getPool(), targetRow, {
    name: "due_runs",
    text: `(select ${TARGET} from run where status in ('scheduled', 'running') and frozen is null and ${isFree("")} limit $1)
     union
     (select ${TARGET} from run
       where status in ('waiting', 'retrying') and wake_at <= now() and frozen is null and ${isFree("")} limit $1)
     union
     (select c.workspace_id, c.run_id from command c left join run r on r.id = c.run_id
       where c.status = 'pending' and c.kind <> 'start' and ${isFree("r.")} limit $1)`,
    values: [limit],
  });

const queuedRow = targetRow.extend({ isLeased: z.boolean() });
type QueuedRun = z.infer<typeof queuedRow>;

/** Oldest undecided starts. @param limit of each workspace, including leased ones @param except runs */
export const listQueuedStarts = (limit: number, except: readonly string[]): Promise<QueuedRun[]> =>
  queryRows(getPool(), queuedRow, {
    name: "queued_starts",
    text: `select ${columnsOf(queuedRow, { isLeased: "coalesce(lease_until >= now(), false)" }, "queued.")} from workspace w, lateral (
       select c.workspace_id, c.run_id, r.lease_until from command c left join run r on r.id = c.run_id
       where c.workspace_id = w.id and c.status = 'pending' and c.kind = 'start' and ${isNotHeldBack("r.")}
         and c.run_id <> all ($2::uuid[])
       order by c.created_at limit $1
     ) queued`,
    values: [limit, except],
  });

/** Runs with unavailable tools, or held by one that is back. */
export const listGatedRuns = (limit: number): Promise<Target[]> =>
  queryRows(getPool(), targetRow, {
    text: `select distinct ${columnsOf(targetRow, {}, "a.")} from approval a
     join run r on r.id = a.run_id
     left join mcp_server s on s.workspace_id = a.workspace_id and s.id = a.server
     left join mcp_tool t on t.workspace_id = a.workspace_id and t.server_id = a.server and t.name = a.tool
     where a.server is not null and a.status in ('open', 'void') and r.status in ('waiting', 'running')
       and r.frozen is null and not r.simulated and (r.lease_until is null or r.lease_until < now())
       and case when coalesce(s.status = 'active' and t.blocked_at is null and t.pinned_digest is not null, false)
         then a.status = 'void' and r.status = 'waiting' and r.current_node is not null
           and not exists (select 1 from approval o where o.run_id = a.run_id and o.status = 'open')
         else a.status = 'open' and a.reason <> 'tool_input' end
     limit $1`,
    values: [limit],
  });

const workspaceRow = z.object({ id: z.string(), workspaceId: z.string() });

const readWorkspaces = batchCalls(async (_all: string, ids: readonly string[]) => {
  const text = `select ${columnsOf(workspaceRow)} from run where id = any (${hideValue("uuid[]", 1)}::uuid[])`;
  const rows = await queryRows(getPool(), workspaceRow, { name: "run-workspaces", text, values: [ids] });
  const workspaces = new Map(rows.map(({ id, workspaceId }) => [id, workspaceId]));

  return ids.map((id) => workspaces.get(id) ?? null);
}, MOST_AT_ONCE);

export const runWorkspace = (runId: string): Promise<string | null> => readWorkspaces("", runId);
