import { z } from "zod";
import { getPool, runRead } from "@/server/db/client";
import { cellRow } from "@/server/store/ledger/rows";
import type { StoredCellRow } from "@/server/store/ledger/ledger";
import { columnsOf, prepareQuery, queryRows } from "@/server/store/sql/rows";
import { msSchema } from "@/server/store/times";

export type PastQuestion = {
  readonly workspaceId: string;
  readonly runId: string;
  readonly server: string;
  readonly tool: string;
  /** ms since 1970. */
  readonly sinceMs: number;
  readonly limit: number;
};

/** Runs with an open review, their ancestors and their forks: their values are sealed. */
const UNDER_REVIEW = `with recursive ahead as (
  select run_id as id from review_case where workspace_id = $1 and status = 'open'
  union
  select run.parent_run from ahead join run on run.workspace_id = $1 and run.id = ahead.id where run.parent_run is not null
), behind as (
  select run_id as id from review_case where workspace_id = $1 and status = 'open'
  union
  select run.id from behind join run on run.workspace_id = $1 and run.parent_run = behind.id
), under_review as (select id from ahead union select id from behind)`;

/** Other graphs may use the tool more often; this bounds the search. */
const MOST_LOOKED_AT = 2_000;

/**
 * Loads the proposals of the latest approved calls of a tool in a run's graph: their cells `$pending.<gate>`. Leaves out frozen and
 * simulated runs, and runs under review.
 */
export const loadPastCalls = ({ workspaceId, runId, server, tool, sinceMs, limit }: PastQuestion): Promise<StoredCellRow[]> =>
  queryRows(getPool(), cellRow, {
    text: `${UNDER_REVIEW}
     select ${columnsOf(cellRow, {}, "cell.")}
     from (
       select id, run_id, resolved_at from approval
       where workspace_id = $1 and server = $3 and tool = $4 and status = 'approved' and resolved_at > to_timestamp($5::double precision / 1000)
       order by resolved_at desc limit ${MOST_LOOKED_AT}
     ) past
     join run on run.id = past.run_id and run.workspace_id = $1
     join cell on cell.run_id = past.run_id and cell.workspace_id = $1 and cell.path = '$pending.' || past.id
     where run.graph_id = (select graph_id from run where id = $2 and workspace_id = $1) and run.frozen is null and not run.simulated
       and past.run_id not in (select id from under_review)
     order by past.resolved_at desc
     limit $6`,
    values: [workspaceId, runId, server, tool, sinceMs, limit],
  });

const decidedRow = cellRow.extend({
  id: z.string(),
  graphName: z.string(),
  status: z.enum(["approved", "rejected"]),
  resolvedAt: msSchema,
  deciders: z.array(z.string()),
});
export type DecidedCall = z.infer<typeof decidedRow>;

const DECIDERS = `coalesce((
    select array_agg(distinct substr(t.principal, 6)) from trust_event t
    where t.workspace_id = past.workspace_id and t.run_id = past.run_id and t.type = 'decision' and t.principal like 'user:%'
      and t.detail::jsonb ->> 'approval' = past.id::text), '{}')`;

/** Loads the latest decided calls of a tool with their proposals, of all graphs; leaves out what `loadPastCalls` does. */
export const loadDecidedCalls = (workspaceId: string, server: string, tool: string, limit: number): Promise<DecidedCall[]> =>
  runRead(workspaceId, (client) =>
    queryRows(
      client,
      decidedRow,
      prepareQuery({
        text: `${UNDER_REVIEW}
         select ${columnsOf(
           decidedRow,
           {
             id: "past.id",
             graphName: "coalesce(g.name, '')",
             status: "past.status",
             resolvedAt: "past.resolved_at",
             deciders: DECIDERS,
           },
           "cell.",
         )}
         from (
           select workspace_id, id, run_id, status, resolved_at from approval
           where workspace_id = $1 and server = $2 and tool = $3 and status in ('approved', 'rejected')
           order by resolved_at desc limit $4
         ) past
         join run on run.id = past.run_id and run.workspace_id = past.workspace_id
         left join graph g on g.workspace_id = run.workspace_id and g.id = run.graph_id
         join cell on cell.run_id = past.run_id and cell.workspace_id = past.workspace_id and cell.path = '$pending.' || past.id
         where run.frozen is null and not run.simulated
           and past.run_id not in (select id from under_review)
         order by past.resolved_at desc`,
        values: [workspaceId, server, tool, limit],
      }),
    ),
  );
