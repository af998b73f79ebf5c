import { z } from "zod";
import { getDatabase, getPool } from "@/server/db/client";
import { columnsOf, queryRows } from "@/server/store/sql/rows";

/** @param until ms since 1970 */
export const retainUntil = async (workspaceId: string, id: string, until: number): Promise<void> => {
  await getDatabase().run.updateMany({ where: { workspaceId, id }, data: { retainUntil: new Date(until) } });
};

const expiredRow = z.object({ workspaceId: z.uuid(), id: z.uuid(), initiatorId: z.uuid(), leaseEpoch: z.number().int() });
export type ExpiredFork = z.infer<typeof expiredRow>;

/** Ended forks whose values no other fork uses. @param at ms since 1970 */
export const listExpiredForks = (at: number, limit: number): Promise<readonly ExpiredFork[]> =>
  queryRows(getPool(), expiredRow, {
    text: `select ${columnsOf(expiredRow)} from run
     where parent_run is not null and collected_at is null and retain_until <= to_timestamp($1::double precision / 1000)
       and status in ('completed', 'failed', 'cancelled', 'timeout', 'budget_exceeded')
       and not exists (select 1 from run heir where heir.parent_run = run.id and heir.collected_at is null)
     order by retain_until, id limit $2`,
    values: [at, limit],
  });

export const markCollected = async (workspaceId: string, id: string, at: number): Promise<void> => {
  await getDatabase().run.updateMany({ where: { workspaceId, id }, data: { collectedAt: new Date(at) } });
};
