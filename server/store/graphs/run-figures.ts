import { z } from "zod";
import { isTerminal, RUN_STATUSES, runStatusSchema } from "@/lib/engine/event";
import { runRead } from "@/server/db/client";
import { prepareQuery, queryRows } from "@/server/store/sql/rows";
import { msSchema } from "@/server/store/times";

/** Runs per graph that the rate covers. */
const COUNTED_RUNS = 50;

const figuresRow = z.object({
  graphId: z.string(),
  /** Of the last `COUNTED_RUNS` unsimulated runs: the ended, and of those the completed. */
  ended: z.number(),
  completed: z.number(),
  lastId: z.string(),
  lastStatus: runStatusSchema,
  /** ms since 1970. */
  lastAt: msSchema,
});
export type RunFigures = Readonly<z.infer<typeof figuresRow>>;

/** Leaves out graphs without runs. Reads at most `COUNTED_RUNS` rows per graph, by index. */
export const listRunFigures = (workspaceId: string): Promise<RunFigures[]> =>
  runRead(workspaceId, (client) =>
    queryRows(
      client,
      figuresRow,
      prepareQuery({
        text: `select g.id as "graphId", f.ended, f.completed, f."lastId", f."lastStatus", f."lastAt"
          from graph g cross join lateral (
            select count(*) filter (where r.status = any($2))::int as ended,
              count(*) filter (where r.status = 'completed')::int as completed,
              (array_agg(r.id order by r.created_at desc))[1] as "lastId",
              (array_agg(r.status order by r.created_at desc))[1] as "lastStatus",
              max(r.created_at) as "lastAt"
            from (
              select id, status, created_at from run
              where workspace_id = g.workspace_id and graph_id = g.id and not simulated
              order by created_at desc limit ${COUNTED_RUNS}
            ) r
          ) f
          where g.workspace_id = $1 and f."lastId" is not null`,
        values: [workspaceId, RUN_STATUSES.filter(isTerminal)],
      }),
    ),
  );
