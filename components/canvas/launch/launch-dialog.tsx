"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useCanvas } from "@/components/canvas/state/canvas-context";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Dialog } from "@/components/ui/dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { SkeletonRows } from "@/components/ui/skeleton";
import { explainStart } from "./explain-start";
import { EMPTY_DRAFT, type LaunchDraft } from "./launch-draft";
import { LaunchForm } from "./launch-form";

type Drafted = { readonly draft: LaunchDraft; readonly onDraft: (change: Partial<LaunchDraft>) => void };

const LaunchBody = ({ draft, onDraft }: Drafted) => {
  const id = useCanvas((state) => state.graphId);
  const trpc = useTRPC();
  const versions = useQuery(trpc.graphs.versions.queryOptions({ id }));
  const environments = useQuery(trpc.environments.list.queryOptions());
  const places = environments.data?.environments ?? [];
  const runsIn = (environment: string) =>
    (versions.data ?? []).filter((one) => one.environments.some(({ id: there }) => there === environment));
  const environment =
    places.find((place) => place.id === draft.environment) ?? places.findLast((place) => runsIn(place.id).length > 0) ?? places.at(-1);
  const hint = explainStart(places, versions.data ?? [], environment?.id);
  const choices = environment ? runsIn(environment.id) : [];
  const live = choices.find((one) => one.environments.some(({ id: there, isLive }) => there === environment?.id && isLive));
  const chosen = choices.find(({ hash }) => hash === draft.version) ?? live ?? choices[0];
  const version = useQuery(
    trpc.graphs.version.queryOptions({ hash: chosen?.hash ?? "" }, { enabled: chosen !== undefined, placeholderData: keepPreviousData }),
  );
  const models = useQuery(trpc.models.list.queryOptions());
  const failure = versions.error ?? environments.error ?? version.error ?? models.error;
  if (failure) {
    const { message, requestId } = toApiError(failure);

    return (
      <EmptyState kind="failed" title="Could not load the launch form" requestId={requestId}>
        {message}
      </EmptyState>
    );
  }
  if (versions.data && environments.data && choices.length === 0 && versions.data.length > 0) {
    return (
      <EmptyState kind="nothing_yet" title={`No version in ${environment?.title ?? "this environment"} yet`}>
        Promote a version to it first.
      </EmptyState>
    );
  }
  if (versions.data && environments.data && !chosen) {
    return (
      <EmptyState kind="nothing_yet" title="No published versions yet">
        Only published versions can run. Publish this draft first.
      </EmptyState>
    );
  }
  if (!versions.data || !environment || !version.data || !models.data) return <SkeletonRows rows={5} />;

  return (
    <LaunchForm
      version={version.data}
      versions={choices}
      live={live?.hash ?? null}
      environments={places}
      environment={environment.id}
      environmentHint={hint}
      models={models.data}
      draft={draft}
      onDraft={onDraft}
    />
  );
};

type Props = { readonly open: boolean; readonly onClose: () => void };

export const LaunchDialog = ({ open, onClose }: Props) => {
  const [draft, setDraft] = useState(EMPTY_DRAFT);

  return (
    <Dialog open={open} onOpenChange={(next) => (next ? undefined : onClose())} title="Start a run" size="xl">
      <LaunchBody draft={draft} onDraft={(change) => setDraft((before) => ({ ...before, ...change }))} />
    </Dialog>
  );
};
