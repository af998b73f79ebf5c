"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { parseAsNumberLiteral, parseAsStringLiteral, useQueryStates } from "nuqs";
import { saveFile } from "@/components/ui/save-file";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { ListTable, MUTED, type Column } from "@/components/ui/list-table";
import { Page } from "@/components/ui/page";
import { Panel } from "@/components/ui/panel";
import { QueryState } from "@/components/ui/query-state";
import { Select } from "@/components/ui/select";
import { count, formatDuration, formatMoney } from "@/lib/format";
import { NO_CALLS, toUsageCsv, USAGE_DAYS, USAGE_DIMENSIONS, type Spend, type UsageReport, type UsageRow } from "@/lib/usage/report";
import { Bars } from "./bars";

const MEASURES = ["cost", "tokens"] as const;
type Measure = (typeof MEASURES)[number];

const IN_ADDRESS = {
  by: parseAsStringLiteral(USAGE_DIMENSIONS).withDefault("graph"),
  days: parseAsNumberLiteral(USAGE_DAYS).withDefault(30),
  measure: parseAsStringLiteral(MEASURES).withDefault("cost"),
};

const BY = { graph: "Graph", model: "Model", agent: "Agent", person: "Person", tool: "Tool" } as const satisfies Record<
  UsageReport["by"],
  string
>;
const DAYS = { 1: "Last 24 hours", 7: "Last 7 days", 30: "Last 30 days", 90: "Last 90 days", 365: "Last 12 months" } as const;
const MEASURE = { cost: "Cost", tokens: "Tokens" } as const satisfies Record<Measure, string>;
const BY_ITEMS = USAGE_DIMENSIONS.map((value) => ({ value, label: `By ${BY[value].toLowerCase()}` }));
const DAY_ITEMS = USAGE_DAYS.map((value) => ({ value: String(value), label: DAYS[value] }));
const MEASURE_ITEMS = MEASURES.map((value) => ({ value, label: MEASURE[value] }));

const formatCalls = (calls: number): string => `${count(calls)} ${calls === 1 ? "call" : "calls"}`;

const valueOf = (measure: Measure | "calls", spend: Spend): number =>
  measure === "calls" ? spend.calls : measure === "cost" ? spend.microUsd : spend.tokens;
const textOf = (measure: Measure | "calls", value: number): string =>
  measure === "calls" ? formatCalls(value) : measure === "cost" ? formatMoney(value) : `${count(value)} tokens`;

const DAY_MS = 86_400_000;

const formatBucket = ({ fromMs, bucketMs }: UsageReport, index: number): string => {
  const iso = new Date(fromMs + index * bucketMs).toISOString();
  if (bucketMs < DAY_MS) return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;

  return bucketMs > DAY_MS ? `Week of ${iso.slice(0, 10)}` : iso.slice(0, 10);
};

const formatShare = (part: number, whole: number): string => (whole === 0 ? "—" : `${Math.round((100 * part) / whole)} %`);
const formatMs = (ms: number | null): string => (ms === null ? "—" : formatDuration(ms));

type FactProps = { readonly name: string; readonly value: string; readonly detail: string; readonly series: readonly number[] };

const Fact = ({ name, value, detail, series }: FactProps) => (
  <Panel bodyClassName="flex flex-col gap-1 p-3">
    <h2 className="text-xs text-muted">{name}</h2>
    <p className="text-lg font-semibold tabular-nums">{value}</p>
    <p className="text-xs text-muted">{detail}</p>
    <Bars values={series} className="mt-1 h-8" />
  </Panel>
);

type Times = { readonly medianMs: number | null; readonly p95Ms: number | null };

const formatTimes = ({ medianMs, p95Ms }: Times): string => `Median ${formatMs(medianMs)}, p95 ${formatMs(p95Ms)}`;

const Facts = ({ report: { models, tools, runs, approvals } }: { readonly report: UsageReport }) => (
  <div className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
    <Fact
      name="Cost"
      value={formatMoney(models.microUsd)}
      detail={models.calls === 0 ? "No calls" : `${formatMoney(Math.round(models.microUsd / models.calls))} per call`}
      series={models.series.map(({ microUsd }) => microUsd)}
    />
    <Fact
      name="Tokens"
      value={count(models.tokens)}
      detail={models.calls === 0 ? "No calls" : `${count(Math.round(models.tokens / models.calls))} per call`}
      series={models.series.map(({ tokens }) => tokens)}
    />
    <Fact name="Model calls" value={count(models.calls)} detail={formatTimes(models)} series={models.series.map(({ calls }) => calls)} />
    <Fact name="Tool calls" value={count(tools.calls)} detail={formatTimes(tools)} series={tools.series.map(({ calls }) => calls)} />
    <Fact
      name="Runs completed"
      value={formatShare(runs.completed, runs.ended)}
      detail={`${count(runs.completed)} of ${count(runs.ended)} ended · ${formatTimes(runs)}`}
      series={runs.series}
    />
    <Fact
      name="Approvals decided"
      value={`${count(approvals.decided)} of ${count(approvals.asked)}`}
      detail={`Median time to a decision: ${formatMs(approvals.medianMs)}`}
      series={approvals.series}
    />
  </div>
);

const SPEND: readonly Column<UsageRow>[] = [
  { name: "Cost", numeric: true, cell: ({ microUsd }) => formatMoney(microUsd) },
  {
    name: "Tokens",
    numeric: true,
    cell: ({ tokens }) => (
      <>
        {count(tokens)}
        <span className="sm:hidden"> tokens</span>
      </>
    ),
  },
];

const WIDE = { className: "max-sm:hidden", headerClassName: "max-sm:hidden" };

const MODEL_CALLS: readonly Column<UsageRow>[] = [
  { name: "Calls", numeric: true, ...WIDE, cell: ({ calls }) => count(calls) },
  { name: "Median", numeric: true, ...WIDE, cell: ({ medianMs }) => formatMs(medianMs) },
];

const TOOL_CALLS: readonly Column<UsageRow>[] = [
  {
    name: "Calls",
    numeric: true,
    cell: ({ calls }) => (
      <>
        {count(calls)}
        <span className="sm:hidden"> {calls === 1 ? "call" : "calls"}</span>
      </>
    ),
  },
  {
    name: "Median",
    numeric: true,
    cell: ({ medianMs }) => (
      <>
        {formatMs(medianMs)}
        <span className="sm:hidden"> median</span>
      </>
    ),
  },
];

const columnsFor = (report: UsageReport, measure: Measure | "calls"): readonly Column<UsageRow>[] => {
  const total = measure === "calls" ? report.tools : report.models;
  const most = Math.max(1, ...report.rows.flatMap(({ series }) => series.map((spend) => valueOf(measure, spend))));

  return [
    { name: BY[report.by], className: "font-medium", cell: ({ name }) => name, hover: ({ name }) => name },
    {
      name: "Over time",
      className: "w-1/3 min-w-40 max-sm:hidden",
      headerClassName: "max-sm:hidden",
      cell: ({ series }) => (
        <Bars
          values={series.map((spend) => valueOf(measure, spend))}
          most={most}
          className="h-6"
          describe={(index) => `${formatBucket(report, index)}: ${textOf(measure, valueOf(measure, series[index] ?? NO_CALLS))}`}
        />
      ),
    },
    ...(measure === "calls" ? [] : SPEND),
    ...(measure === "calls" ? TOOL_CALLS : MODEL_CALLS),
    { name: "p95", numeric: true, ...WIDE, cell: ({ p95Ms }) => formatMs(p95Ms) },
    {
      name: "Share",
      numeric: true,
      className: MUTED,
      cell: (row) => formatShare(valueOf(measure, row), valueOf(measure, total)),
    },
  ];
};

type Bucket = Spend & { readonly at: string; readonly toolCalls: number; readonly runs: number; readonly approvals: number };

const OVER_TIME: readonly Column<Bucket>[] = [
  { name: "From", cell: ({ at }) => at },
  { name: "Cost", numeric: true, cell: ({ microUsd }) => formatMoney(microUsd) },
  { name: "Tokens", numeric: true, cell: ({ tokens }) => count(tokens) },
  { name: "Model calls", numeric: true, cell: ({ calls }) => count(calls) },
  { name: "Tool calls", numeric: true, cell: ({ toolCalls }) => count(toolCalls) },
  { name: "Runs started", numeric: true, cell: ({ runs }) => count(runs) },
  { name: "Approvals asked", numeric: true, cell: ({ approvals }) => count(approvals) },
];

const OverTime = ({ report }: { readonly report: UsageReport }) => {
  const buckets = report.runs.series.map((runs, index): Bucket => ({
    at: formatBucket(report, index),
    ...(report.models.series[index] ?? NO_CALLS),
    toolCalls: report.tools.series[index]?.calls ?? 0,
    runs,
    approvals: report.approvals.series[index] ?? 0,
  }));
  const used = buckets.filter(({ calls, toolCalls, runs, approvals }) => calls + toolCalls + runs + approvals > 0);

  return (
    <details className="text-sm">
      <summary className="w-fit cursor-pointer text-muted hover:text-ink">Show as table</summary>
      <div className="mt-2">
        <ListTable label="Usage over time" columns={OVER_TIME} rows={used} rowKey={({ at }) => at} />
      </div>
    </details>
  );
};

const NO_MODEL = (
  <EmptyState kind="nothing_yet" title="No model was called">
    Cost, tokens and latency of model calls are shown here.
  </EmptyState>
);

const NO_TOOL = (
  <EmptyState kind="nothing_yet" title="No tool was called">
    Latency of tool calls is shown here.
  </EmptyState>
);

const Loaded = ({ report, measure }: { readonly report: UsageReport; readonly measure: Measure }) => (
  <>
    <Facts report={report} />
    <OverTime report={report} />
    <ListTable
      label={`Usage by ${report.by}`}
      columns={columnsFor(report, report.by === "tool" ? "calls" : measure)}
      rows={report.rows}
      rowKey={({ key }) => key ?? ""}
      empty={report.by === "tool" ? NO_TOOL : NO_MODEL}
    />
  </>
);

const Export = ({ report }: { readonly report: UsageReport | undefined }) => {
  const name = report ? `usage-by-${report.by}-${new Date(report.toMs - 1).toISOString().slice(0, 10)}` : "";
  const disabledReason = report ? null : "The report is loading";

  return (
    <>
      <Button disabledReason={disabledReason} onClick={() => report && saveFile(`${name}.csv`, toUsageCsv(report))}>
        Export CSV
      </Button>
      <Button disabledReason={disabledReason} onClick={() => report && saveFile(`${name}.json`, JSON.stringify(report, null, 2))}>
        Export JSON
      </Button>
    </>
  );
};

export const UsagePage = () => {
  const [{ by, days, measure }, setAddress] = useQueryStates(IN_ADDRESS, { history: "push" });
  const query = useQuery(useTRPC().usage.report.queryOptions({ by, days }, { placeholderData: keepPreviousData }));

  return (
    <Page title="Usage" description="Cost, results and approvals of this workspace." actions={<Export report={query.data} />}>
      <search aria-label="Usage" className="flex flex-wrap gap-2">
        <Select
          aria-label="Period"
          className="w-40"
          items={DAY_ITEMS}
          value={String(days)}
          onValueChange={(next) => void setAddress({ days: USAGE_DAYS.find((each) => String(each) === next) ?? null })}
        />
        <Select
          aria-label="Group"
          className="w-36"
          items={BY_ITEMS}
          value={by}
          onValueChange={(next) => void setAddress({ by: USAGE_DIMENSIONS.find((each) => each === next) ?? null })}
        />
        {by !== "tool" && (
          <Select
            aria-label="Measure"
            className="w-32"
            items={MEASURE_ITEMS}
            value={measure}
            onValueChange={(next) => void setAddress({ measure: MEASURES.find((each) => each === next) ?? null })}
          />
        )}
      </search>
      <QueryState query={query} what="usage" rows={6}>
        {(report) => <Loaded report={report} measure={measure} />}
      </QueryState>
    </Page>
  );
};
