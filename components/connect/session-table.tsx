"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useTRPC } from "@/components/trpc/trpc";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { SkeletonRows } from "@/components/ui/skeleton";
import { TableCell, TableRow } from "@/components/ui/table";
import { explainDenial, type Role } from "@/lib/roles";
import { ListTable } from "@/components/ui/list-table";
import { LoadFailed } from "@/components/ui/load-failed";
import { Revoke } from "@/components/ui/revoke";
import { Standing } from "./standing";

const COLUMNS = ["Session", "Status", "Token", "Graph", "Runs", "Last used", "Expires"] as const;
const REFRESH_MS = 5_000;
const CAUSES = { start: "started", reset: "reset", fork: "forked" } as const;

/** Outside sessions and their runs. */
export const SessionTable = ({ role }: { readonly role: Role }) => {
  const trpc = useTRPC();
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(trpc.connect.sessions.list.queryOptions(undefined, { refetchInterval: REFRESH_MS }));
  const revoke = useMutation(
    trpc.connect.sessions.revoke.mutationOptions({ onSettled: () => client.invalidateQueries({ queryKey: trpc.connect.pathKey() }) }),
  );
  if (error) return <LoadFailed what="sessions" error={error} retry={refetch} />;
  if (!data) return <SkeletonRows rows={4} />;
  if (data.length === 0) {
    return (
      <EmptyState kind="nothing_yet" title="No sessions yet">
        A session starts with an agent&apos;s first call and belongs to its token, graph and run.
      </EmptyState>
    );
  }

  return (
    <ListTable label="Sessions" columns={COLUMNS} hasActions>
      {data.map((session) => (
        <TableRow key={session.id}>
          <TableCell className="font-mono text-xs" title={session.id}>
            {session.id.slice(0, 8)}
          </TableCell>
          <TableCell>
            <Standing status={session.status} />
            {session.runStatus ? <span className="ml-2 text-xs text-muted">run {session.runStatus}</span> : null}
          </TableCell>
          <TableCell>{session.tokenName}</TableCell>
          <TableCell>{session.graphName}</TableCell>
          <TableCell>
            {session.runs.length === 0 ? <span className="text-muted">none yet</span> : null}
            <ol className="flex flex-wrap gap-x-3">
              {session.runs.map((run) => (
                <li key={run.runId}>
                  <Link href={`/runs/${run.runId}`} className="hover:underline">
                    <span className="font-mono text-xs">{run.runId.slice(0, 8)}</span>{" "}
                    <span className="text-xs text-muted">{CAUSES[run.cause]}</span>
                  </Link>
                </li>
              ))}
            </ol>
          </TableCell>
          <TableCell className="whitespace-nowrap text-muted">
            <RelativeTime at={session.lastUsedAt} />
          </TableCell>
          <TableCell className="whitespace-nowrap text-muted">
            <RelativeTime at={session.expiresAt} />
          </TableCell>
          <TableCell className="text-right">
            {session.status === "active" ? (
              <Revoke
                title={`Revoke session ${session.id.slice(0, 8)}`}
                consequence="The agent's next call fails as if the session didn't exist. Its run stays open until someone cancels it."
                done="Session revoked."
                disabledReason={explainDenial(role, "connect.manage")}
                revoke={() => revoke.mutateAsync({ sessionId: session.id })}
              />
            ) : null}
          </TableCell>
        </TableRow>
      ))}
    </ListTable>
  );
};
