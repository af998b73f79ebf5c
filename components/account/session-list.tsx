"use client";

import { ListTable } from "@/components/ui/list-table";
import { Badge } from "@/components/ui/badge";
import { RelativeTime } from "@/components/ui/relative-time";
import { TableCell, TableRow } from "@/components/ui/table";
import { ConfirmAction } from "@/components/ui/confirm-action";
import type { OpenSession } from "@/server/auth/session";

const COLUMNS = ["Browser", "IP address", "Signed in", "Last seen"] as const;

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

type Props = {
  readonly sessions: readonly OpenSession[];
  /** Null: not listed. */
  readonly current: string | null;
  readonly end: (id: string) => Promise<unknown>;
};

/** Sessions that can be ended. */
export const SessionList = ({ sessions, current, end }: Props) => (
  <ListTable label="Sessions" columns={COLUMNS} hasActions>
    {sessions.map((session) => (
      <TableRow key={session.id}>
        <TableCell className="max-w-64">
          <span className="block truncate" title={session.userAgent}>
            {browserOf(session.userAgent)}
            {session.id === current ? <Badge className="ml-2">this session</Badge> : null}
          </span>
        </TableCell>
        <TableCell className="font-mono text-xs whitespace-nowrap text-muted">{session.address}</TableCell>
        <TableCell className="whitespace-nowrap text-muted">
          <RelativeTime at={session.createdAt} />
        </TableCell>
        <TableCell className="whitespace-nowrap text-muted">
          <RelativeTime at={session.seenAt} />
        </TableCell>
        <TableCell className="text-right">
          <ConfirmAction
            label="End…"
            title="End this session?"
            consequence="Its next request is refused, and its open pages disconnect within seconds."
            confirm="End session"
            pending="Ending…"
            disabledReason={session.id === current ? "This is your current session. Sign out instead" : null}
            act={() => end(session.id)}
          />
        </TableCell>
      </TableRow>
    ))}
  </ListTable>
);
