"use client";

import { Badge } from "@/components/ui/badge";
import { ConfirmAction } from "@/components/ui/confirm-action";
import { ListTable, MUTED, timeColumn, type Column } from "@/components/ui/list-table";
import type { OpenSession } from "@/server/auth/session";

const BROWSERS = [
  [/Firefox\//, "Firefox"],
  [/Edg\//, "Edge"],
  [/Chrome\//, "Chrome"],
  [/Safari\//, "Safari"],
] as const;

const SYSTEMS = [
  [/Windows/, "Windows"],
  [/iPhone|iPad/, "iOS"],
  [/Mac OS X/, "macOS"],
  [/Android/, "Android"],
  [/Linux/, "Linux"],
] as const;

/** User agents are self-reported. */
const browserOf = (agent: string): string => {
  const found = [BROWSERS, SYSTEMS].flatMap((list) => list.find(([pattern]) => pattern.test(agent))?.[1] ?? []);

  return found.join(" on ") || agent.slice(0, 40) || "unknown";
};

const listColumns = (current: string | null): readonly Column<OpenSession>[] => [
  {
    name: "Browser",
    className: "max-w-64",
    cell: ({ id, userAgent }) => (
      <span className="block truncate" title={userAgent}>
        {browserOf(userAgent)}
        {id === current ? <Badge className="ml-2">this session</Badge> : null}
      </span>
    ),
  },
  { name: "IP address", className: `font-mono text-xs ${MUTED}`, cell: ({ address }) => address },
  timeColumn("Signed in", ({ createdAt }) => createdAt),
  timeColumn("Last seen", ({ seenAt }) => seenAt),
];

type Props = {
  readonly sessions: readonly OpenSession[];
  /** Null: not listed. */
  readonly current: string | null;
  readonly end: (id: string) => Promise<unknown>;
};

export const SessionList = ({ sessions, current, end }: Props) => (
  <ListTable
    label="Sessions"
    columns={listColumns(current)}
    rows={sessions}
    rowKey={({ id }) => id}
    renderActions={({ id }) => (
      <ConfirmAction
        label="End…"
        title="End this session?"
        consequence="Its next request is refused, and its open pages disconnect within seconds."
        confirm="End session"
        pending="Ending…"
        disabledReason={id === current ? "This is your current session. Sign out instead" : null}
        act={() => end(id)}
      />
    )}
  />
);
