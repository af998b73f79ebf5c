"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTRPC } from "@/components/trpc/trpc";
import { Mark } from "@/components/ui/marks/mark";
import { Panel } from "@/components/ui/panel";
import { RelativeTime } from "@/components/ui/relative-time";
import { rowStyle } from "@/components/ui/row-style";

const REFRESH_MS = 10_000;

export const WaitingPromotions = ({ className }: { readonly className?: string }) => {
  const { data: requests = [] } = useQuery(
    useTRPC().environments.promotions.waiting.queryOptions(undefined, { refetchInterval: REFRESH_MS }),
  );
  if (requests.length === 0) return null;

  return (
    <Panel title="Promotions to approve" className={className}>
      <ul className="divide-y">
        {requests.map(({ id, name, number, to, byName, atMs }) => (
          <li key={id}>
            <Link href="/admin/environments" className={rowStyle}>
              <Mark kind="waiting" shapeOnly />
              <span className="min-w-0 flex-1">
                <span className="block truncate font-medium">
                  {name} version {number} to {to}
                </span>
                <span className="block truncate text-xs text-muted">Requested by {byName}</span>
              </span>
              <RelativeTime at={atMs} className="shrink-0 text-xs text-muted" />
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
};
