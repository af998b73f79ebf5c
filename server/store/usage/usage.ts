import { z } from "zod";
import {
  bucketMsOf,
  NO_CALLS,
  type Timed,
  type UsageDimension,
  type UsageQuery,
  type UsageReport,
  type UsageRow,
} from "@/lib/usage/report";
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
const ms = z.coerce.number().transform(Math.round).nullable();
const spendRow = z.object({
  key: z.string().nullable(),
  name: z.string().nullable(),
  bucket: int.nullable(),
  microUsd: int,
  tokens: int,
  calls: int,
  medianMs: ms,
  p95Ms: ms,
});
type SpendRow = z.infer<typeof spendRow>;

const OTHERS = "*";

const KEYS = {
  graph: "u.graph_id::text",
  model: "coalesce(u.model, '')",
  agent: "coalesce(u.agent, '')",
  person: `case when $6::uuid is null or u.user_id = $6::uuid then u.user_id::text else '${OTHERS}' end`,
  tool: "u.server || '.' || u.tool",
} as const satisfies Record<UsageDimension, string>;

const NAMES = {
  graph: "(select g.name from graph g where g.workspace_id = $1 and g.id::text = called.key)",
  model: "nullif(called.key, '')",
  agent: "nullif(called.key, '')",
  person: "(select p.name from app_user p join membership m on m.user_id = p.id where m.workspace_id = $1 and p.id::text = called.key)",
  tool: "called.key",
} as const satisfies Record<UsageDimension, string>;

const UNNAMED = {
  graph: "Deleted graph",
  model: "Unanswered calls",
  agent: "No agent",
  person: "Former member",
  tool: "Unnamed tool",
} as const satisfies Record<UsageDimension, string>;

const OF_SPAN = `between to_timestamp($2::double precision / 1000) and to_timestamp($3::double precision / 1000)`;
const bucketOf = (at: string): string => `floor((extract(epoch from ${at}) * 1000 - $2::double precision) / $4::double precision)::int`;
const withinGraphs = (column: string): string => `($5::uuid[] is null or ${column} = any($5::uuid[]))`;
const took = (from: string, to: string): string => `extract(epoch from ${to} - ${from}) * 1000`;
const percentile = (part: number, of: string): string => `percentile_cont(${part}) within group (order by ${of})`;

const MODEL_CALLS = {
  table: "model_usage",
  columns: "u.micro_usd, u.input_tokens::bigint + u.output_tokens as tokens, u.latency_ms",
};
const TOOL_CALLS = { table: "tool_usage", columns: "0::bigint as micro_usd, 0::bigint as tokens, u.latency_ms" };
type Calls = typeof MODEL_CALLS;

const calledFrom = ({ table, columns }: Calls, key: string): string => `
with called as materialized (
  select ${key} as key, ${bucketOf("u.at")} as bucket, ${columns}
  from ${table} u where u.workspace_id = $1 and u.at ${OF_SPAN} and ${withinGraphs("u.graph_id")}
)`;

const FIGURES = `coalesce(sum(called.micro_usd), 0)::text as "microUsd", coalesce(sum(called.tokens), 0)::text as tokens,
  count(*)::text as calls, ${percentile(0.5, "called.latency_ms")} as "medianMs", ${percentile(0.95, "called.latency_ms")} as "p95Ms"`;

/** A row without a bucket is the key's whole. */
const querySpend = (by: UsageDimension): string => `${calledFrom(by === "tool" ? TOOL_CALLS : MODEL_CALLS, KEYS[by])}, named as (
  select called.key, ${NAMES[by]} as name from (
    select key from called where key <> '${OTHERS}'
    group by key order by sum(micro_usd) desc, sum(tokens) desc, count(*) desc, key limit ${MOST_ROWS}
  ) called
), shown as (
  select coalesce(named.key, '${OTHERS}') as key, named.name, called.bucket, called.micro_usd, called.tokens, called.latency_ms
  from called left join named on named.key = called.key
)
select called.key, called.name, called.bucket, ${FIGURES}
from shown called group by grouping sets ((called.key, called.name, called.bucket), (called.key, called.name))`;

const queryTotals = (calls: Calls): string =>
  `${calledFrom(calls, "''")} select null as key, null as name, called.bucket, ${FIGURES} from called group by grouping sets ((called.bucket), ())`;

const toTimed = ({ microUsd, tokens, calls, medianMs, p95Ms }: SpendRow): Timed => ({ microUsd, tokens, calls, medianMs, p95Ms });

const toSeries = (parts: readonly SpendRow[], buckets: number) => {
  const at = new Map(parts.map((part) => [part.bucket, toTimed(part)]));

  return { ...(at.get(null) ?? NO_CALLS), series: Array.from({ length: buckets }, (_, bucket) => at.get(bucket) ?? NO_CALLS) };
};

const readRows = async (client: SqlClient, by: UsageDimension, values: readonly unknown[], buckets: number): Promise<UsageRow[]> => {
  const found = await queryRows(client, spendRow, prepareQuery({ text: querySpend(by), values }));
  const rows = [...Map.groupBy(found, ({ key }) => key ?? OTHERS)].map(([key, parts]): UsageRow => {
    const name = key === OTHERS ? (by === "person" ? "Other people" : "Others") : (parts[0]?.name ?? UNNAMED[by]);

    return { key: key === OTHERS ? null : key, name, ...toSeries(parts, buckets) };
  });

  return rows.toSorted(
    (a, b) => Number(a.key === null) - Number(b.key === null) || b.microUsd - a.microUsd || b.tokens - a.tokens || b.calls - a.calls,
  );
};

const readTotals = async (client: SqlClient, calls: Calls, values: readonly unknown[], buckets: number) =>
  toSeries(await queryRows(client, spendRow, prepareQuery({ text: queryTotals(calls), values })), buckets);

const runRow = z.object({ bucket: z.number().nullable(), started: int, ended: int, completed: int, medianMs: ms, p95Ms: ms });
const approvalRow = z.object({ bucket: z.number().nullable(), asked: int, decided: int, medianMs: ms });

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
    const rows = await readRows(client, by, by === "person" ? [...values, onlyPerson] : values, buckets);
    const models = await readTotals(client, MODEL_CALLS, values, buckets);
    const tools = await readTotals(client, TOOL_CALLS, values, buckets);
    const runs = await queryRows(client, runRow, prepareQuery({ text: RUNS, values }));
    const approvals = await queryRows(client, approvalRow, prepareQuery({ text: APPROVALS, values }));
    const { bucket: _all, ...ended } = runs.find(({ bucket }) => bucket === null) ?? { bucket: null, ...NO_RUNS };
    const { bucket: _whole, ...asked } = approvals.find(({ bucket }) => bucket === null) ?? { bucket: null, ...NO_APPROVALS };

    return {
      by,
      ...span,
      models,
      tools,
      rows,
      runs: { ...ended, series: seriesOf(runs, buckets, ({ started }) => started) },
      approvals: { ...asked, series: seriesOf(approvals, buckets, ({ asked: one }) => one) },
    };
  });
};

const NO_RUNS = { started: 0, ended: 0, completed: 0, medianMs: null, p95Ms: null };
const NO_APPROVALS = { asked: 0, decided: 0, medianMs: null };
