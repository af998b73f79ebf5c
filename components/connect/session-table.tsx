"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import type { Outputs } from "@/components/trpc/outputs";
import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { ConfirmAction } from "@/components/ui/confirm-action";
import { EmptyState } from "@/components/ui/empty-state";
import { ListTable, timeColumn, type Column } from "@/components/ui/list-table";
import { QueryState } from "@/components/ui/query-state";
import { explainDenial, type Role } from "@/lib/roles";
import { Standing } from "./standing";

type Session = Outputs["connect"]["sessions"]["list"][number];

const REFRESH_MS = 5_000;
const CAUSES = { start: "started", reset: "reset", fork: "forked" } as const;

const Runs = ({ runs }: Pick<Session, "runs">) =>
  runs.length === 0 ? (
    <span className="text-muted">none yet</span>
  ) : (
    <ol className="flex flex-wrap gap-x-3">
      {runs.map(({ runId, cause }) => (
        <li key={runId}>
          <Link href={`/runs/${runId}`} className="hover:underline">
            <span className="font-mono text-xs">{runId.slice(0, 8)}</span> <span className="text-xs text-muted">{CAUSES[cause]}</span>
          </Link>
        </li>
      ))}
    </ol>
  );

const COLUMNS: readonly Column<Session>[] = [
  { name: "Session", className: "font-mono text-xs", hover: ({ id }) => id, cell: ({ id }) => id.slice(0, 8) },
  {
    name: "Status",
    cell: ({ status, runStatus }) => (
      <>
        <Standing status={status} />
        {runStatus ? <span className="ml-2 text-xs text-muted">run {runStatus}</span> : null}
      </>
    ),
  },
  { name: "Token", cell: ({ tokenName }) => tokenName },
  { name: "Graph", cell: ({ graphName }) => graphName },
  { name: "Runs", cell: ({ runs }) => <Runs runs={runs} /> },
  timeColumn("Last used", ({ lastUsedAt }) => lastUsedAt),
  timeColumn("Expires", ({ expiresAt }) => expiresAt),
];

const NONE = (
  <EmptyState kind="nothing_yet" title="No sessions yet">
    A session starts with an agent&apos;s first call and belongs to its token, graph and run.
  </EmptyState>
);

const Revoke = ({ session: { id }, role }: { readonly session: Session; readonly role: Role }) => {
  const trpc = useTRPC();
  const revoke = useMutation(trpc.connect.sessions.revoke.mutationOptions({ onSettled: useRefresh(trpc.connect.pathFilter()) }));
  const title = `Revoke session ${id.slice(0, 8)}`;

  return (
    <ConfirmAction
      label="Revoke…"
      name={title}
      buttonSize="sm"
      title={`${title}?`}
      consequence="The agent's next call fails as if the session didn't exist. Its run stays open until someone cancels it."
      confirm="Revoke"
      pending="Revoking…"
      done="Session revoked."
      disabledReason={explainDenial(role, "connect.manage")}
      act={() => revoke.mutateAsync({ sessionId: id })}
    />
  );
};

export const SessionTable = ({ role }: { readonly role: Role }) => (
  <QueryState
    query={useQuery(useTRPC().connect.sessions.list.queryOptions(undefined, { refetchInterval: REFRESH_MS }))}
    what="sessions"
    rows={4}
  >
    {(sessions) => (
      <ListTable
        label="Sessions"
        columns={COLUMNS}
        rows={sessions}
        rowKey={({ id }) => id}
        renderActions={(session) => (session.status === "active" ? <Revoke session={session} role={role} /> : null)}
        empty={NONE}
      />
    )}
  </QueryState>
);
