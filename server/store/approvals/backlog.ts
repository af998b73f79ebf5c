import { z } from "zod";
import type { Backlog } from "@/server/metrics";
import { getPool } from "@/server/db/client";
import { SILENT_AFTER_MS } from "@/server/store/health";
import { queryRows } from "@/server/store/sql/rows";

const backlogRow = z.object({
  runners: z.number(),
  dueRuns: z.number(),
  oldestDueSeconds: z.number(),
  openApprovals: z.number(),
  checkpointAgeSeconds: z.number().nullable(),
  pendingDeliveries: z.number(),
  oldestDeliverySeconds: z.number(),
}) satisfies z.ZodType<Backlog>;

/** By the database's clock; checkpoints by a runner's. */
const BACKLOG = `
with due as (
  select id, updated_at as since from run
  where status in ('scheduled', 'running') and frozen is null
    and (lease_until is null or lease_until < now()) and (drive_after is null or drive_after < now())
  union all
  select id, wake_at from run
  where status in ('waiting', 'retrying') and wake_at <= now() and frozen is null
    and (lease_until is null or lease_until < now()) and (drive_after is null or drive_after < now())
  union all
  select c.run_id, c.created_at from command c left join run r on r.id = c.run_id and r.workspace_id = c.workspace_id
  where c.status = 'pending' and (r.lease_until is null or r.lease_until < now()) and (r.drive_after is null or r.drive_after < now())
)
select
  (select count(*)::int from runner_heartbeat where at > now() - make_interval(secs => $1)) as "runners",
  (select count(distinct id)::int from due) as "dueRuns",
  (select coalesce(greatest(0, extract(epoch from now() - min(since))), 0)::float8 from due) as "oldestDueSeconds",
  (select count(*)::int from approval where status = 'open') as "openApprovals",
  (select (extract(epoch from now()) - max(newest.at) / 1000.0)::float8 from workspace w,
    lateral (select at from checkpoint c where c.workspace_id = w.id order by c.count desc limit 1) newest) as "checkpointAgeSeconds",
  (select count(*)::int from webhook_delivery where status = 'pending') as "pendingDeliveries",
  (select coalesce(greatest(0, extract(epoch from now() - min(next_at))), 0)::float8
    from webhook_delivery where status = 'pending' and next_at <= now()) as "oldestDeliverySeconds"`;

export const readBacklog = async (): Promise<Backlog> => {
  const [backlog] = await queryRows(getPool(), backlogRow, { text: BACKLOG, values: [SILENT_AFTER_MS / 1_000] });

  return backlogRow.parse(backlog);
};
