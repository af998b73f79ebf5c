"use client";

import { useQuery } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import Link from "next/link";
import { RunStatusMark } from "@/components/values/run-status";
import { useTRPC } from "@/components/trpc/trpc";
import { EmptyState } from "@/components/ui/empty-state";
import { Mark } from "@/components/ui/marks/mark";
import { Panel } from "@/components/ui/panel";
import { RelativeTime } from "@/components/ui/relative-time";
import { isTerminal } from "@/lib/engine/event";
import { formatMoney } from "@/lib/format";
import { QueryState } from "@/components/ui/query-state";
import { moreStyle, rowStyle } from "@/components/ui/row-style";
import type { AppRouter } from "@/server/trpc/root";

type Run = inferRouterOutputs<AppRouter>["runs"]["list"]["runs"][number];

const SHOWN = 6;
const REFRESH_MS = 5_000;

const RunRow = ({ run }: { readonly run: Run }) => (
  <Link href={`/runs/${run.id}`} className={`${rowStyle} max-sm:flex-wrap max-sm:gap-y-1`}>
    <span className="w-24 shrink-0 max-sm:w-auto">
      <RunStatusMark status={run.status} />
    </span>
    <span className="min-w-0 flex-1 truncate max-sm:order-first max-sm:basis-full">
      <span className="font-medium">{run.graphName}</span>
      <span className="text-muted"> by {run.initiatorName}</span>
    </span>
    {run.refusals > 0 ? <Mark kind="refused">{run.refusals === 1 ? "1 refusal" : `${run.refusals} refusals`}</Mark> : null}
    <span className="tabular w-16 shrink-0 text-right text-xs text-muted max-sm:w-auto">{formatMoney(run.totalMicroUsd)}</span>
    <RelativeTime at={run.createdAt} className="w-20 shrink-0 truncate text-right text-xs text-muted max-sm:ml-auto max-sm:w-auto" />
  </Link>
);

const Rows = ({ runs }: { readonly runs: readonly Run[] }) => (
  <ul className="divide-y">
    {runs.map((run) => (
      <li key={run.id}>
        <RunRow run={run} />
      </li>
    ))}
  </ul>
);

const Latest = ({ runs, hasActive }: { readonly runs: readonly Run[]; readonly hasActive: boolean }) => {
  const ended = runs.filter(({ status }) => isTerminal(status));
  if (ended.length > 0) return <Rows runs={ended} />;

  return (
    <EmptyState kind="nothing_yet" title={hasActive ? "No run has ended yet" : "No runs yet"} className="py-8">
      Builders start runs from a published graph.
    </EmptyState>
  );
};

const allRuns = (
  <Link href="/runs" className={moreStyle}>
    All runs
  </Link>
);

export const RunsPanel = () => {
  const trpc = useTRPC();
  const active = useQuery({ ...trpc.runs.list.queryOptions({ limit: SHOWN, active: true }), refetchInterval: REFRESH_MS });
  const latest = useQuery({ ...trpc.runs.list.queryOptions({ limit: SHOWN }), refetchInterval: REFRESH_MS });
  const running = active.data?.runs ?? [];

  return (
    <>
      {running.length === 0 ? null : (
        <Panel
          title={active.data?.nextCursor ? `Running now: more than ${SHOWN}` : `Running now: ${running.length}`}
          actions={
            <Link href="/runs?active=true" className={moreStyle}>
              All active runs
            </Link>
          }
        >
          <Rows runs={running} />
        </Panel>
      )}
      <Panel title="Latest runs" actions={allRuns}>
        <QueryState query={latest}>{({ runs }) => <Latest runs={runs} hasActive={running.length > 0} />}</QueryState>
      </Panel>
    </>
  );
};
