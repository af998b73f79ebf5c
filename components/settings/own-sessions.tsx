"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { SessionList } from "@/components/account/session-list";
import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { ConfirmAction } from "@/components/ui/confirm-action";
import { QueryState } from "@/components/ui/query-state";

export const OwnSessions = () => {
  const trpc = useTRPC();
  const end = useMutation(trpc.session.end.mutationOptions({ onSettled: useRefresh(trpc.session.sessions.queryFilter()) }));

  return (
    <QueryState query={useQuery(trpc.session.sessions.queryOptions())} what="your sessions" rows={2}>
      {({ sessions, current }) => (
        <div className="flex flex-col gap-3">
          <SessionList sessions={sessions} current={current} end={(id) => end.mutateAsync({ sessionId: id })} />
          <div>
            <ConfirmAction
              label="End all others…"
              title="End all your other sessions?"
              consequence="You stay signed in only here, and your personal tokens are revoked."
              confirm="End other sessions"
              pending="Ending…"
              disabledReason={sessions.length < 2 ? "No other sessions" : null}
              act={() => end.mutateAsync({ sessionId: null })}
            />
          </div>
        </div>
      )}
    </QueryState>
  );
};
