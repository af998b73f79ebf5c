/** Run rows. Runner's role only. */
import { z } from "zod";
import { GENESIS_PARENT } from "@/lib/engine/state";
import { TOKEN_LIMIT_CODES, type TokenLimitCode, type TokenLimits } from "@/lib/outside/token-limits";
import { getPool } from "@/server/db/client";
import { HELD } from "@/server/db/restored";
import type { LedgerClient } from "@/server/store/runs/attempts";
import { withTokenUse } from "@/server/store/agents/token-use";

const headSchema = z.object({
  workspace_id: z.string(),
  id: z.string(),
  graph_id: z.string(),
  graph_hash: z.string(),
  status: z.string(),
  version: z.number(),
  head: z.string(),
  lease_epoch: z.number(),
  parent_run: z.string().nullable(),
  fork_seq: z.number().nullable(),
  frozen: z.string().nullable(),
});
export type RunHead = z.infer<typeof headSchema>;

const RETURNING = "workspace_id, id, graph_id, graph_hash, status, version, head, lease_epoch, parent_run, fork_seq, frozen";

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
  readonly token?: { readonly id: string; readonly limits: TokenLimits };
};

const insertRun = async (client: LedgerClient, run: NewRun): Promise<void> => {
  await client.query(
    `insert into run (workspace_id, id, graph_id, graph_hash, initiator_id, status, version, head, created_at, updated_at, parent_run,
       fork_seq, simulated, token_id)
     values ($1, $2, $3, $4, $5, 'pending', coalesce($9, 0), $6, to_timestamp($7::double precision / 1000),
       to_timestamp($7::double precision / 1000), $8, $9, $10, $11)
     on conflict (id) do nothing`,
    [
      run.workspaceId,
      run.runId,
      run.graphId,
      run.graphHash,
      run.initiatorId,
      run.fork?.head ?? GENESIS_PARENT,
      run.at,
      run.fork?.parentRun ?? null,
      run.fork?.seq ?? null,
      run.fork?.simulated ?? false,
      run.token?.id ?? null,
    ],
  );
};

/** Creates an empty run. Idempotent. @returns the token limit that prevented it */
export const createRunHead = async (run: NewRun): Promise<TokenLimitCode | null> => {
  const { token, workspaceId, at } = run;
  if (!token) {
    await insertRun(getPool(), run);

    return null;
  }

  return withTokenUse(workspaceId, token.id, at, async (used, client) => {
    const full = (["runs", "micro_usd"] as const).find((limit) => used[limit] >= token.limits[limit]);
    if (full) return TOKEN_LIMIT_CODES[full];
    await insertRun(client, run);

    return null;
  });
};

/** By row and ledger. */
const takenSchema = headSchema.extend({ is_empty: z.boolean() });
export type TakenRun = z.infer<typeof takenSchema>;

/**
 * Takes a free lease by the database's clock. The new epoch fences earlier holders. Skips held runs, and locked rows: no opener waits.
 * @param evenIfHeld the holder is invalid
 */
export const takeLease = async (
  workspaceId: string,
  runId: string,
  leaseMs: number,
  { evenIfHeld = false }: { readonly evenIfHeld?: boolean } = {},
): Promise<TakenRun | null> => {
  const taken = await getPool().query({
    name: "take-lease",
    text: `update run set lease_epoch = lease_epoch + 1, lease_until = now() + make_interval(secs => $3::double precision / 1000)
     where (workspace_id, id) in (
       select workspace_id, id from run where workspace_id = $1 and id = $2 and ($5 or lease_until is null or lease_until < now())
         and not starts_with(coalesce(frozen, ''), $4)
       for no key update skip locked)
     returning ${RETURNING}, version = 0 and parent_run is null and not exists (select 1 from ledger_record where run_id = run.id) as is_empty`,
    values: [workspaceId, runId, leaseMs, HELD, evenIfHeld],
  });

  return taken.rows[0] === undefined ? null : takenSchema.parse(taken.rows[0]);
};

type HeldLease = { readonly runId: string; readonly epoch: number; readonly leaseMs: number };

const renewalSchema = z.object({ id: z.string(), lease_epoch: z.number(), renewed: z.boolean() });

/**
 * Renews leases without waiting: writers of locked rows could wait for us, so those are `skipped`. A lease (`<run> <epoch>`) in neither set
 * has another holder.
 */
export const renewLeases = async (
  leases: readonly HeldLease[],
): Promise<{ readonly renewed: ReadonlySet<string>; readonly skipped: ReadonlySet<string> }> => {
  const found = await getPool().query(
    `with asked as (select * from unnest($1::uuid[], $2::int[], $3::double precision[]) as a (id, epoch, lease_ms)),
     free as (select r.id, a.lease_ms from run r join asked a on a.id = r.id and a.epoch = r.lease_epoch
       where r.lease_until is not null for no key update of r skip locked),
     renewed as (update run r set lease_until = now() + make_interval(secs => f.lease_ms / 1000) from free f where r.id = f.id returning r.id)
     select r.id, r.lease_epoch, n.id is not null as renewed
     from run r join asked a on a.id = r.id and a.epoch = r.lease_epoch left join renewed n on n.id = r.id
     where r.lease_until is not null`,
    [leases.map(({ runId }) => runId), leases.map(({ epoch }) => epoch), leases.map(({ leaseMs }) => leaseMs)],
  );
  const rows = z.array(renewalSchema).parse(found.rows);
  const keys = (isRenewed: boolean) =>
    new Set(rows.filter(({ renewed }) => renewed === isRenewed).map((row) => `${row.id} ${row.lease_epoch}`));

  return { renewed: keys(true), skipped: keys(false) };
};

/** Releases a lease and clears a hold-back. */
export const releaseLease = async (workspaceId: string, runId: string, epoch: number): Promise<void> => {
  await getPool().query({
    name: "release-lease",
    text: "update run set lease_until = null, drive_after = null where workspace_id = $1 and id = $2 and lease_epoch = $3 and lease_until is not null",
    values: [workspaceId, runId, epoch],
  });
};

/** Commands still open it. */
export const holdBack = async (workspaceId: string, runId: string, ms: number): Promise<void> => {
  await getPool().query(
    `update run set drive_after = now() + make_interval(secs => $3::double precision / 1000) where workspace_id = $1 and id = $2 and (lease_until is null or lease_until < now())`,
    [workspaceId, runId, ms],
  );
};

/** Freezes or thaws (null) a run. Sweeps skip frozen ones. @param epoch of the lease @returns false, unchanged, when outdated */
export const setFrozen = async (workspaceId: string, runId: string, epoch: number, frozen: string | null): Promise<boolean> => {
  const { rowCount } = await getPool().query({
    name: "set-frozen",
    text: "update run set frozen = $4 where workspace_id = $1 and id = $2 and lease_epoch = $3 and ($4::text is not null or frozen is not null)",
    values: [workspaceId, runId, epoch, frozen],
  });

  return rowCount === 1;
};

/** Thaws runs frozen for this reason. @returns the number */
export const thawRuns = async (reason: string): Promise<number> => {
  const { rowCount } = await getPool().query("update run set frozen = null where starts_with(frozen, $1)", [`${reason} at `]);

  return rowCount ?? 0;
};

/** Returns a run, or null. */
export const runHead = async (workspaceId: string, runId: string): Promise<RunHead | null> => {
  const found = await getPool().query(`select ${RETURNING} from run where workspace_id = $1 and id = $2`, [workspaceId, runId]);

  return found.rows[0] === undefined ? null : headSchema.parse(found.rows[0]);
};

const countSchema = z.object({ forks: z.number() });

/** Counts forks from own records. */
export const countForks = async (workspaceId: string, runId: string): Promise<number> => {
  const counted = await getPool().query("select count(*)::int as forks from run where workspace_id = $1 and parent_run = $2", [
    workspaceId,
    runId,
  ]);

  return countSchema.parse(counted.rows[0]).forks;
};

const dueSchema = z.object({ workspace_id: z.string(), id: z.string() });

const targetsOf = (rows: unknown[]): { workspaceId: string; runId: string }[] =>
  z
    .array(dueSchema)
    .parse(rows)
    .map((row) => ({ workspaceId: row.workspace_id, runId: row.id }));

/** Runs to open: abandoned, due, or with a pending command. Partial indexes keep waiting runs free. */
export const listDueRuns = async (limit: number): Promise<{ workspaceId: string; runId: string }[]> => {
  const due = await getPool().query({
    name: "due_runs",
    text: `select workspace_id, id from run
       where status in ('scheduled', 'running') and frozen is null
         and (lease_until is null or lease_until < now()) and (drive_after is null or drive_after < now())
     union
     select workspace_id, id from run
       where status in ('waiting', 'retrying') and wake_at <= now() and frozen is null
         and (lease_until is null or lease_until < now()) and (drive_after is null or drive_after < now())
     union
     select c.workspace_id, c.run_id from command c left join run r on r.id = c.run_id and r.workspace_id = c.workspace_id
       where c.status = 'pending' and (r.lease_until is null or r.lease_until < now()) and (r.drive_after is null or r.drive_after < now())
     limit $1`,
    values: [limit],
  });

  return targetsOf(due.rows);
};

/** Runs with unavailable tools, or held by one that is back; finds lost wake-ups. */
export const listGatedRuns = async (limit: number): Promise<{ workspaceId: string; runId: string }[]> => {
  const found = await getPool().query(
    `select distinct a.workspace_id, a.run_id as id from approval a
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
    [limit],
  );

  return targetsOf(found.rows);
};

const existsSchema = z.object({ workspace_id: z.string() });

/** The run's workspace, or null. */
export const runWorkspace = async (runId: string): Promise<string | null> => {
  const found = await getPool().query({ name: "run-workspace", text: "select workspace_id from run where id = $1", values: [runId] });

  return found.rows[0] === undefined ? null : existsSchema.parse(found.rows[0]).workspace_id;
};
