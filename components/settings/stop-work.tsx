"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { ConfirmAction } from "@/components/ui/confirm-action";
import { PageSection } from "@/components/ui/page";
import { QueryState } from "@/components/ui/query-state";
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

const Switch = ({ isStopped, mayNot }: { readonly isStopped: boolean; readonly mayNot: string | null }) => {
  const { stop, resume } = useSwitch();

  return isStopped ? (
    <ConfirmAction
      label="Resume work…"
      title="Resume all work?"
      consequence="Runs continue where they stopped. A change whose outcome is unknown waits for a reviewer."
      confirm="Resume work"
      confirmVariant="primary"
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
  );
};

export const StopWork = ({ session }: { readonly session: SignedIn }) => (
  <PageSection id="stop-work" title="Stop all work">
    <QueryState query={useQuery(useTRPC().work.get.queryOptions())} what="the stop switch">
      {({ byAdmin }) => (
        <div className="flex flex-wrap items-center gap-3">
          <p className="min-w-64 flex-1 text-sm">
            {byAdmin
              ? "Work in this workspace is stopped: runs make no calls."
              : "Stops every run of this workspace within a second. Calls in progress are cancelled, and approval requests stay open."}
          </p>
          <Switch isStopped={byAdmin} mayNot={explainDenial(session.role, "work.stop", session.auditor)} />
        </div>
      )}
    </QueryState>
  </PageSection>
);
