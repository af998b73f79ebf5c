"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTRPC } from "@/components/trpc/trpc";
import { Badge } from "@/components/ui/badge";
import { Mark } from "@/components/ui/marks/mark";
import { EmptyState } from "@/components/ui/empty-state";
import { Panel } from "@/components/ui/panel";
import { RelativeTime } from "@/components/ui/relative-time";
import { isAllowed, explainDenial, type Role } from "@/lib/roles";
import { QueryState } from "@/components/ui/query-state";
import { moreStyle, rowStyle } from "@/components/ui/row-style";

const SHOWN = 5;

/** Approval requests that expire next. */
export const WaitingPanel = ({ role }: { readonly role: Role }) => {
  const query = useQuery(useTRPC().approvals.list.queryOptions({ status: "open" }));
  const isDecider = isAllowed(role, "approval.decide");

  return (
    <Panel
      title={isDecider ? "Waiting for you" : "Waiting for a reviewer"}
      actions={
        <Link href="/approvals" className={moreStyle}>
          All approvals
        </Link>
      }
    >
      <QueryState query={query}>
        {(approvals) =>
          approvals.length === 0 ? (
            <EmptyState kind="nothing_yet" title="No open approval requests" className="py-8">
              When a run needs approval, it pauses and the request appears here.
            </EmptyState>
          ) : (
            <>
              {isDecider ? null : <p className="border-b px-3 py-1.5 text-xs text-muted">{explainDenial(role, "approval.decide")}.</p>}
              <ul className="divide-y">
                {approvals.slice(0, SHOWN).map((approval) => (
                  <li key={approval.id}>
                    <Link href={`/approvals/${approval.id}`} className={rowStyle}>
                      <Mark kind="waiting" shapeOnly />
                      {approval.simulated ? <Badge>Simulation</Badge> : null}
                      <span className="min-w-0 flex-1">
                        <span className="block truncate font-medium">{approval.prompt}</span>
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
