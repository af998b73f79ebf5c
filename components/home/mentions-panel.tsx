"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTRPC } from "@/components/trpc/trpc";
import { CountBadge } from "@/components/ui/count-badge";
import { Mark } from "@/components/ui/marks/mark";
import { Panel } from "@/components/ui/panel";
import { RelativeTime } from "@/components/ui/relative-time";
import { rowStyle } from "@/components/ui/row-style";

const REFRESH_MS = 15_000;

export const MentionsPanel = () => {
  const { data } = useQuery(useTRPC().comments.unread.queryOptions(undefined, { refetchInterval: REFRESH_MS }));
  const mentions = data?.mentions ?? [];

  return mentions.length === 0 ? null : (
    <Panel title="Mentions" actions={<CountBadge count={mentions.length} label="unread" />}>
      <ul className="divide-y">
        {mentions.map(({ id, runId, approvalId, author, graphName, createdAt }) => (
          <li key={id}>
            <Link href={approvalId === null ? `/runs/${runId}?comments=true` : `/approvals/${approvalId}#comments`} className={rowStyle}>
              <Mark kind="waiting" shapeOnly />
              <span className="min-w-0 flex-1 truncate">
                <span className="font-medium">{author || "A person"}</span> mentioned you on{" "}
                {approvalId === null ? "a run of" : "a request in"} {graphName || "a graph"}
              </span>
              <RelativeTime at={createdAt} className="shrink-0 text-xs text-muted" />
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
};
