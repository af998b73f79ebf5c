"use client";

import { ListTable } from "@/components/connect/list-table";
import { Badge } from "@/components/ui/badge";
import { RelativeTime } from "@/components/ui/relative-time";
import { TableCell, TableRow } from "@/components/ui/table";
import { ConfirmAction } from "@/components/ui/confirm-action";
import type { OpenSession } from "@/server/auth/session";

const COLUMNS = ["Browser", "From", "Signed in", "Last seen"] as const;

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

/** What a browser says it is, in two words; anybody can say anything, so the whole of it is beside. */
const browserOf = (agent: string): string => {
  const found = [BROWSERS, SYSTEMS].flatMap((list) => list.find(([pattern]) => pattern.test(agent))?.[1] ?? []);

  return found.join(" on ") || agent.slice(0, 40) || "unknown";
};

type Props = {
  readonly sessions: readonly OpenSession[];
  /** The id of the session that looks; null: it is none of these. */
  readonly current: string | null;
  readonly end: (id: string) => Promise<unknown>;
};

/** Where somebody is signed in, each with the way to end it. */
export const SessionList = ({ sessions, current, end }: Props) => (
  <ListTable label="Sessions" columns={COLUMNS} hasActions>
    {sessions.map((session) => (
      <TableRow key={session.id}>
        <TableCell className="max-w-64">
          <span className="block truncate" title={session.userAgent}>
            {browserOf(session.userAgent)}
            {session.id === current ? <Badge className="ml-2">this one</Badge> : null}
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
            consequence="Its next request is refused, and what it has open is closed within seconds."
            confirm="End the session"
            pending="Ending…"
            disabledReason={session.id === current ? "This is where you are: sign out instead" : null}
            act={() => end(session.id)}
          />
        </TableCell>
      </TableRow>
    ))}
  </ListTable>
);
