"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { rowStyle } from "@/components/ui/row-style";
import { useTRPC } from "@/components/trpc/trpc";
import { Mark } from "@/components/ui/marks/mark";
import { Panel } from "@/components/ui/panel";
import { RelativeTime } from "@/components/ui/relative-time";

const REFRESH_MS = 10_000;

export const WaitingRequests = ({ className }: { readonly className?: string }) => {
  const query = useQuery(useTRPC().graphs.publishRequestList.queryOptions({ graph: null }, { refetchInterval: REFRESH_MS }));
  const requests = query.data?.filter(({ answerable }) => answerable) ?? [];
  if (requests.length === 0) return null;

  return (
    <Panel title="Versions to approve" className={className}>
      <ul className="divide-y">
        {requests.map((request) => (
          <li key={request.id}>
            <Link href={`/graphs/${request.graphId}?dialog=publish`} className={rowStyle}>
              <Mark kind="waiting" shapeOnly />
              <span className="min-w-0 flex-1">
                <span className="block truncate font-medium">{request.graphName}</span>
                <span className="block truncate text-xs text-muted">
                  Requested by {request.byAgent ? `an outside agent on behalf of ${request.requesterName}` : request.requesterName}
                </span>
              </span>
              <RelativeTime at={request.createdAt} className="shrink-0 text-xs text-muted" />
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
};
