"use client";

import { useQuery } from "@tanstack/react-query";
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

const SHOWN = 6;
const REFRESH_MS = 5_000;

/** Active runs first, then the latest finished. */
export const RunsPanel = () => {
  const query = useQuery({ ...useTRPC().runs.list.queryOptions({ limit: 50 }), refetchInterval: REFRESH_MS });
  const active = query.data?.runs.filter(({ status }) => !isTerminal(status)) ?? [];

  return (
    <Panel
      title={active.length > 0 ? `Running now: ${active.length}` : "Latest runs"}
      actions={
        <Link href="/runs" className={moreStyle}>
          All runs
        </Link>
      }
    >
      <QueryState query={query}>
        {({ runs }) =>
          runs.length === 0 ? (
            <EmptyState kind="nothing_yet" title="No runs yet" className="py-8">
              Builders start runs from a published graph.
            </EmptyState>
          ) : (
            <ul className="divide-y">
              {[...active, ...runs.filter(({ status }) => isTerminal(status))].slice(0, SHOWN).map((run) => (
                <li key={run.id}>
                  <Link href={`/runs/${run.id}`} className={rowStyle}>
                    <span className="w-24 shrink-0">
                      <RunStatusMark status={run.status} />
                    </span>
                    <span className="min-w-0 flex-1 truncate">
                      <span className="font-medium">{run.graphName}</span>
                      <span className="text-muted"> by {run.initiatorName}</span>
                    </span>
                    {run.refusals > 0 ? <Mark kind="refused">{run.refusals === 1 ? "1 refusal" : `${run.refusals} refusals`}</Mark> : null}
                    <span className="tabular w-16 shrink-0 max-sm:hidden text-right text-xs text-muted">
                      {formatMoney(run.totalMicroUsd)}
                    </span>
                    <RelativeTime at={run.createdAt} className="w-20 shrink-0 truncate text-right text-xs text-muted" />
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </QueryState>
    </Panel>
  );
};
