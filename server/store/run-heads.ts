/** Run rows: creation, leases and wake-ups. Only the runner's role may call what writes. */
import { z } from "zod";
import { GENESIS_PARENT } from "@/lib/engine/state";
import { pool } from "@/server/db/client";

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
});
export type RunHead = z.infer<typeof headSchema>;

const RETURNING = "workspace_id, id, graph_id, graph_hash, status, version, head, lease_epoch, parent_run, fork_seq";

/** Where a fork's ledger begins. */
export type ForkPlace = {
  readonly parentRun: string;
  /** The first record that is not the parent's any more. */
  readonly seq: number;
  /** The digest of the record before it. */
  readonly head: string;
  readonly simulated: boolean;
};

/** An empty run, so that its first record has a head to swap. Doing it twice changes nothing. */
export const createRunHead = async (run: {
  readonly workspaceId: string;
  readonly runId: string;
  readonly graphId: string;
  readonly graphHash: string;
  readonly initiatorId: string;
  readonly at: number;
  readonly fork?: ForkPlace;
}): Promise<void> => {
  await pool().query(
    `insert into run (workspace_id, id, graph_id, graph_hash, initiator_id, status, version, head, created_at, updated_at, parent_run, fork_seq, simulated)
     values ($1, $2, $3, $4, $5, 'pending', coalesce($9, 0), $6, to_timestamp($7::double precision / 1000),
       to_timestamp($7::double precision / 1000), $8, $9, $10)
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
    ],
  );
};

/**
 * Takes the lease if nobody holds it, by the database's clock. The new epoch fences every earlier holder: what they
 * still commit compares epochs and finds no row.
 */
export const takeLease = async (workspaceId: string, runId: string, leaseMs: number): Promise<RunHead | null> => {
  const taken = await pool().query(
    `update run set lease_epoch = lease_epoch + 1, lease_until = now() + make_interval(secs => $3::double precision / 1000)
     where workspace_id = $1 and id = $2 and (lease_until is null or lease_until < now()) returning ${RETURNING}`,
    [workspaceId, runId, leaseMs],
  );

  return taken.rows[0] === undefined ? null : headSchema.parse(taken.rows[0]);
};

/** @returns false when somebody else has the lease by now */
export const renewLease = async (workspaceId: string, runId: string, epoch: number, leaseMs: number): Promise<boolean> => {
  const renewed = await pool().query(
    `update run set lease_until = now() + make_interval(secs => $4::double precision / 1000)
     where workspace_id = $1 and id = $2 and lease_epoch = $3`,
    [workspaceId, runId, epoch, leaseMs],
  );

  return renewed.rowCount === 1;
};

export const releaseLease = async (workspaceId: string, runId: string, epoch: number): Promise<void> => {
  await pool().query("update run set lease_until = null where workspace_id = $1 and id = $2 and lease_epoch = $3", [
    workspaceId,
    runId,
    epoch,
  ]);
};

/**
 * Remembers that the stored ledger does not verify, or (null) that it does again. A frozen run is looked at only when
 * somebody asks something of it, not at every sweep.
 */
export const setFrozen = async (workspaceId: string, runId: string, frozen: string | null): Promise<void> => {
  await pool().query("update run set frozen = $3 where workspace_id = $1 and id = $2 and frozen is distinct from $3", [
    workspaceId,
    runId,
    frozen,
  ]);
};

/** A run of this workspace as it stands, or null. */
export const runHead = async (workspaceId: string, runId: string): Promise<RunHead | null> => {
  const found = await pool().query(`select ${RETURNING} from run where workspace_id = $1 and id = $2`, [workspaceId, runId]);

  return found.rows[0] === undefined ? null : headSchema.parse(found.rows[0]);
};

const countSchema = z.object({ forks: z.number() });

/** How many forks go on from this run's own records, whatever became of them. */
export const countForks = async (workspaceId: string, runId: string): Promise<number> => {
  const counted = await pool().query("select count(*)::int as forks from run where workspace_id = $1 and parent_run = $2", [
    workspaceId,
    runId,
  ]);

  return countSchema.parse(counted.rows[0]).forks;
};

const dueSchema = z.object({ workspace_id: z.string(), id: z.string() });

/**
 * Runs that need a runner although nobody calls: left in the middle of work by a runner that is gone, due by a timer, or
 * with a command nobody has answered. Free leases only.
 */
export const dueRuns = async (limit: number): Promise<{ workspaceId: string; runId: string }[]> => {
  const due = await pool().query(
    `select workspace_id, id from run r
     where (lease_until is null or lease_until < now()) and (
       (frozen is null and (status in ('scheduled', 'running') or (status in ('waiting', 'retrying') and wake_at <= now())))
       or exists (select 1 from command c where c.run_id = r.id and c.workspace_id = r.workspace_id and c.status = 'pending'))
     union
     select c.workspace_id, c.run_id from command c
     where c.status = 'pending' and not exists (select 1 from run r where r.id = c.run_id and r.workspace_id = c.workspace_id)
     limit $1`,
    [limit],
  );

  return z
    .array(dueSchema)
    .parse(due.rows)
    .map((row) => ({ workspaceId: row.workspace_id, runId: row.id }));
};

/**
 * Runs that wait for an approval of a tool that cannot be called, and runs that such an approval holds although its tool can be
 * called by now. Whoever changes the registry wakes them; this finds those whose waking was lost. Free leases only.
 */
export const runsAtDoors = async (limit: number): Promise<{ workspaceId: string; runId: string }[]> => {
  const found = await pool().query(
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

  return z
    .array(dueSchema)
    .parse(found.rows)
    .map((row) => ({ workspaceId: row.workspace_id, runId: row.id }));
};

const existsSchema = z.object({ workspace_id: z.string() });

/** Whether the run exists, and in which workspace. */
export const runWorkspace = async (runId: string): Promise<string | null> => {
  const found = await pool().query("select workspace_id from run where id = $1", [runId]);

  return found.rows[0] === undefined ? null : existsSchema.parse(found.rows[0]).workspace_id;
};
