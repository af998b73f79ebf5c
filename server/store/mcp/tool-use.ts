import { z } from "zod";
import { runInWorkspace } from "@/server/db/client";
import { msSchema } from "@/server/store/times";

/** Newest runs, while earlier ledgers total fewer records. */
const MOST_RUNS = 200;
const MOST_RECORDS = 100_000;

const callSchema = z.strictObject({ server: z.string(), tool: z.string(), agent: z.string().nullable() });
const rowSchema = z.object({ version: z.string(), atMs: msSchema, agents: z.array(z.string()), calls: z.array(callSchema) });

/** `calls`: null: a node or the engine. */
export type WorkedRun = z.infer<typeof rowSchema>;

/** Tool use of recent verified runs. Skips records with NUL, which Postgres cannot parse as JSON. */
export const listLastRuns = (workspaceId: string): Promise<readonly WorkedRun[]> =>
  runInWorkspace(workspaceId, async (tx) => {
    const rows = await tx.$queryRaw<unknown[]>`
      with newest as (
        select id, graph_hash, created_at, version from run
        where workspace_id = ${workspaceId}::uuid and not simulated and frozen is null
        order by created_at desc, id desc limit ${MOST_RUNS}
      ), counted as (
        select *, sum(version) over (order by created_at desc, id desc) - version as before from newest
      ), looked as (select * from counted where before < ${MOST_RECORDS}
      ), read as (
        select run_id, case when strpos(body, '\\u0000') = 0 then body::jsonb end as body
        from ledger_record where workspace_id = ${workspaceId}::uuid and run_id in (select id from looked)
        and (body like '%"principal":{"agent":"%' or body like '%"type":"effect_intended"%')
      ), worked as (select run_id, jsonb_agg(distinct body #> '{principal,agent}') as agents from read
        where body #>> '{principal,agent}' is not null group by run_id
      ), called as (
        select run_id, jsonb_agg(distinct jsonb_build_object(
          'server', event #> '{effect,server}', 'tool', event #> '{effect,tool}', 'agent', body #> '{principal,agent}')) as calls
        from read, jsonb_array_elements(body -> 'control') as event
        where event ->> 'type' = 'effect_intended' group by run_id
      )
      select graph_hash as version, created_at as "atMs", coalesce(agents, '[]') as agents, coalesce(calls, '[]') as calls
      from looked left join worked on worked.run_id = id left join called on called.run_id = id
      order by created_at desc, id desc`;

    return z.array(rowSchema).parse(rows);
  });
