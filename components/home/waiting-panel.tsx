"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTRPC } from "@/components/trpc/trpc";
import { Badge } from "@/components/ui/badge";
import { CountBadge } from "@/components/ui/count-badge";
import { Mark } from "@/components/ui/marks/mark";
import { EmptyState } from "@/components/ui/empty-state";
import { Panel } from "@/components/ui/panel";
import { RelativeTime } from "@/components/ui/relative-time";
import { isAllowed, explainDenial, type Role } from "@/lib/roles";
import { waitingInput } from "./waiting-input";
import { QueryState } from "@/components/ui/query-state";
import { moreStyle, rowStyle } from "@/components/ui/row-style";

const SHOWN = 5;

/** The reader's first requests of the inbox: riskiest first, none set aside. */
export const WaitingPanel = ({ role }: { readonly role: Role }) => {
  const isDecider = isAllowed(role, "approval.decide");
  const trpc = useTRPC();
  const query = useQuery(trpc.approvals.queue.queryOptions(waitingInput(role)));
  const rows = query.data?.rows.slice(0, SHOWN) ?? [];
  const ids = rows.map(({ id }) => id);
  const summaries = useQuery(
    trpc.approvals.summaries.queryOptions({ ids }, { enabled: isDecider && ids.length > 0, staleTime: Infinity }),
  ).data;

  return (
    <Panel
      title={isDecider ? "Waiting for you" : "Waiting for a reviewer"}
      actions={
        <span className="flex items-center gap-2">
          <CountBadge count={query.data?.counts?.matching ?? 0} label="open" />
          <Link href="/approvals" className={moreStyle}>
            All approvals
          </Link>
        </span>
      }
    >
      <QueryState query={query}>
        {() =>
          rows.length === 0 ? (
            <EmptyState kind="nothing_yet" title="No open approval requests" className="py-8">
              When a run needs approval, it pauses and the request appears here.
            </EmptyState>
          ) : (
            <>
              {isDecider ? null : <p className="border-b px-3 py-1.5 text-xs text-muted">{explainDenial(role, "approval.decide")}.</p>}
              <ul className="divide-y">
                {rows.map((approval) => (
                  <li key={approval.id}>
                    <Link href={`/approvals/${approval.id}`} className={rowStyle}>
                      <Mark kind="waiting" shapeOnly />
                      {approval.simulated ? <Badge>Simulation</Badge> : null}
                      <span className="min-w-0 flex-1">
                        <span className="block truncate font-medium">
                          {summaries?.find(({ id }) => id === approval.id)?.summary ?? approval.prompt}
                        </span>
                        <span className="block truncate text-xs text-muted">
                          {approval.graphName}, at {approval.node}
                        </span>
                      </span>
                      <span className="shrink-0 text-xs text-muted">
                        expires <RelativeTime at={approval.expiresAt} />
                      </span>
                    </Link>
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </QueryState>
    </Panel>
  );
};
