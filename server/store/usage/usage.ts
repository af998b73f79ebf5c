import { z } from "zod";
import { bucketMsOf, sumSpend, type UsageDimension, type UsageQuery, type UsageReport, type UsageRow } from "@/lib/usage/report";
import { runRead } from "@/server/db/client";
import { prepareQuery, queryRows, type SqlClient } from "@/server/store/sql/rows";

export type UsageReader = {
  readonly workspaceId: string;
  readonly onlyPerson: string | null;
  readonly graphs: readonly string[] | null;
};

type Span = { readonly fromMs: number; readonly toMs: number; readonly bucketMs: number };

const MOST_ROWS = 50;

const int = z.coerce.number().int();
const spendRow = z.object({ key: z.string(), name: z.string().nullable(), bucket: int, microUsd: int, tokens: int, calls: int });

const KEYS = {
  graph: "u.graph_id::text",
  model: "coalesce(u.model, '')",
  agent: "coalesce(u.agent, '')",
  person: "u.user_id::text",
} as const satisfies Record<UsageDimension, string>;

const NAMES = {
  graph: "(select g.name from graph g where g.workspace_id = $1 and g.id::text = used.key)",
  model: "nullif(used.key, '')",
  agent: "nullif(used.key, '')",
  person: "(select p.name from app_user p join membership m on m.user_id = p.id where m.workspace_id = $1 and p.id::text = used.key)",
} as const satisfies Record<UsageDimension, string>;

const UNNAMED = {
  graph: "Deleted graph",
  model: "Unanswered calls",
  agent: "No agent",
  person: "Former member",
} as const satisfies Record<UsageDimension, string>;

const OF_SPAN = `between to_timestamp($2::double precision / 1000) and to_timestamp($3::double precision / 1000)`;
const bucketOf = (at: string): string => `floor((extract(epoch from ${at}) * 1000 - $2::double precision) / $4::double precision)::int`;
const withinGraphs = (column: string): string => `($5::uuid[] is null or ${column} = any($5::uuid[]))`;

/** Of the index on workspace and time; the most expensive keys keep their names. */
const querySpend = (by: UsageDimension): string => `
with used as materialized (
  select ${KEYS[by]} as key, ${bucketOf("u.at")} as bucket, sum(u.micro_usd) as micro_usd,
    sum(u.input_tokens::bigint + u.output_tokens) as tokens, count(*) as calls
  from model_usage u where u.workspace_id = $1 and u.at ${OF_SPAN} and ${withinGraphs("u.graph_id")}
  group by 1, 2
), named as (
  select used.key, ${NAMES[by]} as name from (
    select key from used group by key order by sum(micro_usd) desc, sum(tokens) desc, key limit ${MOST_ROWS}
  ) used
)
select coalesce(named.key, '*') as key, named.name, used.bucket, sum(used.micro_usd)::text as "microUsd",
  sum(used.tokens)::text as tokens, sum(used.calls)::text as calls
from used left join named on named.key = used.key group by 1, 2, 3`;

const OTHERS = "*";

const readSpend = async (
  client: SqlClient,
  { by, onlyPerson, values, buckets }: { by: UsageDimension; onlyPerson: string | null; values: readonly unknown[]; buckets: number },
): Promise<UsageRow[]> => {
  const found = await queryRows(client, spendRow, prepareQuery({ text: querySpend(by), values }));
  const isShown = (key: string) => key !== OTHERS && (by !== "person" || onlyPerson === null || key === onlyPerson);
  const grouped = Map.groupBy(found, ({ key }) => (isShown(key) ? key : OTHERS));
  const rows = [...grouped].map(([key, parts]): UsageRow => {
    const at = Map.groupBy(parts, ({ bucket }) => Math.min(bucket, buckets - 1));
    const series = Array.from({ length: buckets }, (_, bucket) => sumSpend(at.get(bucket) ?? []));
    const name = key === OTHERS ? (by === "person" ? "Other people" : "Others") : (parts[0]?.name ?? UNNAMED[by]);

    return { key: key === OTHERS ? null : key, name, ...sumSpend(series), series };
  });

  return rows.toSorted((a, b) => Number(a.key === null) - Number(b.key === null) || b.microUsd - a.microUsd || b.tokens - a.tokens);
};

const ms = z.coerce.number().transform(Math.round).nullable();
const runRow = z.object({ bucket: z.number().nullable(), started: int, ended: int, completed: int, medianMs: ms, p95Ms: ms });
const approvalRow = z.object({ bucket: z.number().nullable(), asked: int, decided: int, medianMs: ms });

const took = (from: string, to: string): string => `extract(epoch from ${to} - ${from}) * 1000`;
const percentile = (part: number, of: string): string => `percentile_cont(${part}) within group (order by ${of})`;

/** Simulations are no results. The row without a bucket has the totals. */
const RUNS = `
select ${bucketOf("r.created_at")} as bucket, count(*)::text as started, count(r.ended_at)::text as ended,
  (count(*) filter (where r.status = 'completed'))::text as completed,
  ${percentile(0.5, took("r.created_at", "r.ended_at"))} as "medianMs", ${percentile(0.95, took("r.created_at", "r.ended_at"))} as "p95Ms"
from run r where r.workspace_id = $1 and r.created_at ${OF_SPAN} and not r.simulated and ${withinGraphs("r.graph_id")}
group by grouping sets ((1), ())`;

const APPROVALS = `
select ${bucketOf("a.opened_at")} as bucket, count(*)::text as asked, count(d.at)::text as decided,
  ${percentile(0.5, took("a.opened_at", "d.at"))} as "medianMs"
from approval a cross join lateral (
  select case when a.status in ('approved', 'rejected', 'changes_requested') then a.resolved_at end as at
) d
where a.workspace_id = $1 and a.opened_at ${OF_SPAN}
  and ($5::uuid[] is null or (select r.graph_id from run r where r.id = a.run_id) = any($5::uuid[]))
group by grouping sets ((1), ())`;

const seriesOf = <Row extends { readonly bucket: number | null }>(rows: readonly Row[], buckets: number, count: (row: Row) => number) =>
  Array.from({ length: buckets }, (_, bucket) => rows.filter((row) => row.bucket === bucket).reduce((sum, row) => sum + count(row), 0));

const spanOf = (days: number, nowMs: number): Span & { readonly buckets: number } => {
  const bucketMs = bucketMsOf(days);
  const buckets = Math.ceil((days * 86_400_000) / bucketMs);
  // Whole UTC hours or days, the current one included.
  const alignMs = Math.min(bucketMs, 86_400_000);
  const toMs = Math.ceil((nowMs + 1) / alignMs) * alignMs;

  return { fromMs: toMs - buckets * bucketMs, toMs, bucketMs, buckets };
};

export const readUsage = async (reader: UsageReader, { by, days }: UsageQuery, nowMs: number): Promise<UsageReport> => {
  const { buckets, ...span } = spanOf(days, nowMs);
  const { workspaceId, onlyPerson, graphs } = reader;
  const values = [workspaceId, span.fromMs, span.toMs - 1, span.bucketMs, graphs === null ? null : [...graphs]];

  return runRead(workspaceId, async (client) => {
    const rows = await readSpend(client, { by, onlyPerson, values, buckets });
    const runs = await queryRows(client, runRow, prepareQuery({ text: RUNS, values }));
    const approvals = await queryRows(client, approvalRow, prepareQuery({ text: APPROVALS, values }));
    const { bucket: _all, ...ended } = runs.find(({ bucket }) => bucket === null) ?? { bucket: null, ...NO_RUNS };
    const { bucket: _whole, ...asked } = approvals.find(({ bucket }) => bucket === null) ?? { bucket: null, ...NO_APPROVALS };

    return {
      by,
      ...span,
      rows,
      runs: { ...ended, series: seriesOf(runs, buckets, ({ started }) => started) },
      approvals: { ...asked, series: seriesOf(approvals, buckets, ({ asked: one }) => one) },
    };
  });
};

const NO_RUNS = { started: 0, ended: 0, completed: 0, medianMs: null, p95Ms: null };
const NO_APPROVALS = { asked: 0, decided: 0, medianMs: null };
