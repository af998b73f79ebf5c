"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { ConfirmAction } from "@/components/ui/confirm-action";
import { LoadFailed } from "@/components/ui/load-failed";
import { SkeletonRows } from "@/components/ui/skeleton";
import { explainDenial } from "@/lib/roles";
import type { SignedIn } from "@/server/auth/signed-in";

const useSwitch = () => {
  const trpc = useTRPC();
  const client = useQueryClient();
  const onSettled = () => client.invalidateQueries({ queryKey: trpc.work.pathKey() });
  const stop = useMutation(trpc.work.stop.mutationOptions({ onSettled }));
  const resume = useMutation(trpc.work.resume.mutationOptions({ onSettled }));

  return { stop: () => stop.mutateAsync(), resume: () => resume.mutateAsync() };
};

/** Stops and resumes all work of the workspace. */
export const StopWork = ({ session }: { readonly session: SignedIn }) => {
  const { data, error, refetch } = useQuery(useTRPC().work.get.queryOptions());
  const { stop, resume } = useSwitch();
  const mayNot = explainDenial(session.role, "work.stop", session.auditor);

  return (
    <section aria-labelledby="stop-work" className="flex flex-col gap-3 border-t p-6">
      <h2 id="stop-work" className="text-base font-semibold">
        Stop all work
      </h2>
      {error ? <LoadFailed what="the stop switch" error={error} retry={refetch} /> : null}
      {data ? (
        <div className="flex flex-wrap items-center gap-3">
          <p className="min-w-64 flex-1 text-sm">
            {data.byAdmin
              ? "Work in this workspace is stopped: runs make no calls."
              : "Stops every run of this workspace within a second. Calls in progress are cancelled, and approval requests stay open."}
          </p>
          {data.byAdmin ? (
            <ConfirmAction
              label="Resume work…"
              title="Resume all work?"
              consequence="Runs continue where they stopped. A change whose outcome is unknown waits for a reviewer."
              confirm="Resume work"
              pending="Committing…"
              disabledReason={mayNot}
              act={resume}
            />
          ) : (
            <ConfirmAction
              label="Stop all work…"
              title="Stop all work in this workspace?"
              consequence="No run makes a call until an admin resumes work. Calls in progress are cancelled where their server allows it."
              confirm="Stop all work"
              pending="Committing…"
              disabledReason={mayNot}
              act={stop}
            />
          )}
        </div>
      ) : error ? null : (
        <SkeletonRows rows={1} />
      )}
    </section>
  );
};
