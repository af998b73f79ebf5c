"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { LoadFailed } from "@/components/ui/load-failed";
import { SessionList } from "@/components/account/session-list";
import { useTRPC } from "@/components/trpc/trpc";
import { SkeletonRows } from "@/components/ui/skeleton";
import { ConfirmAction } from "@/components/ui/confirm-action";

export const OwnSessions = () => {
  const trpc = useTRPC();
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(trpc.session.sessions.queryOptions());
  const end = useMutation(
    trpc.session.end.mutationOptions({ onSettled: () => client.invalidateQueries({ queryKey: trpc.session.sessions.queryKey() }) }),
  );
  if (error) return <LoadFailed what="your sessions" error={error} retry={refetch} />;
  if (!data) return <SkeletonRows rows={2} />;

  return (
    <div className="flex flex-col gap-3">
      <SessionList sessions={data.sessions} current={data.current} end={(id) => end.mutateAsync({ sessionId: id })} />
      <div>
        <ConfirmAction
          label="End all others…"
          title="End all your other sessions?"
          consequence="You stay signed in only here."
          confirm="End other sessions"
          pending="Ending…"
          disabledReason={data.sessions.length < 2 ? "No other sessions" : null}
          act={() => end.mutateAsync({ sessionId: null })}
        />
      </div>
    </div>
  );
};
