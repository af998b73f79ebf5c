import { z } from "zod";
import { getPool } from "@/server/db/client";

/** @param until ms since 1970 */
export const retainUntil = async (workspaceId: string, runId: string, until: number): Promise<void> => {
  await getPool().query("update run set retain_until = to_timestamp($3::double precision / 1000) where workspace_id = $1 and id = $2", [
    workspaceId,
    runId,
    until,
  ]);
};

const expiredSchema = z.object({ workspace_id: z.uuid(), id: z.uuid(), initiator_id: z.uuid(), lease_epoch: z.number().int() });
export type ExpiredFork = z.infer<typeof expiredSchema>;

/** Ended forks whose values no other fork uses. @param at ms since 1970 */
export const listExpiredForks = async (at: number, limit: number): Promise<readonly ExpiredFork[]> => {
  const { rows } = await getPool().query(
    `select workspace_id, id, initiator_id, lease_epoch from run
     where parent_run is not null and collected_at is null and retain_until <= to_timestamp($1::double precision / 1000)
       and status in ('completed', 'failed', 'cancelled', 'timeout')
       and not exists (select 1 from run heir where heir.parent_run = run.id and heir.collected_at is null)
     order by retain_until, id limit $2`,
    [at, limit],
  );

  return z.array(expiredSchema).parse(rows);
};

export const markCollected = async (workspaceId: string, runId: string, at: number): Promise<void> => {
  await getPool().query("update run set collected_at = to_timestamp($3::double precision / 1000) where workspace_id = $1 and id = $2", [
    workspaceId,
    runId,
    at,
  ]);
};
