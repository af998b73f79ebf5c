"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { ConfirmAction } from "@/components/ui/confirm-action";
import { QueryState } from "@/components/ui/query-state";
import type { ListedMember } from "@/server/store/people/members";
import { SessionList } from "@/components/account/session-list";

export const MemberSessions = ({ member, isMe }: { readonly member: ListedMember; readonly isMe: boolean }) => {
  const trpc = useTRPC();
  const own = useQuery(trpc.session.current.queryOptions());
  const query = useQuery(trpc.people.sessions.queryOptions({ userId: member.id }));
  const end = useMutation(trpc.people.endSessions.mutationOptions({ onSettled: useRefresh(trpc.people.pathFilter()) }));
  const endOf = (session: string | null) => end.mutateAsync({ userId: member.id, sessionId: session });

  return (
    <section aria-labelledby="where-they-are" className="flex flex-col gap-3">
      <div className="flex items-center gap-3">
        <h3 id="where-they-are" className="flex-1 text-sm font-semibold">
          Sessions
        </h3>
        <ConfirmAction
          label="End all…"
          title={`Sign ${member.name} out everywhere?`}
          consequence="All their sessions end at the next request. They can sign in again."
          confirm="End all sessions"
          pending="Ending…"
          disabledReason={isMe ? "End your own sessions in Settings" : query.data?.length === 0 ? "No open sessions" : null}
          act={() => endOf(null)}
        />
      </div>
      <QueryState query={query} what="sessions" rows={2}>
        {(sessions) =>
          sessions.length === 0 ? (
            <p className="text-sm text-muted">No open sessions.</p>
          ) : (
            <SessionList sessions={sessions} current={own.data?.session.id ?? null} end={endOf} />
          )
        }
      </QueryState>
    </section>
  );
};
