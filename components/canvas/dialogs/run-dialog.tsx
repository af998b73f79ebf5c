"use client";

import { useQuery } from "@tanstack/react-query";
import { useCanvas } from "@/components/canvas/state/canvas-context";
import { apiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Dialog } from "@/components/ui/dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { SkeletonRows } from "@/components/ui/skeleton";
import { RunForm } from "./run-form";

const RunBody = () => {
  const id = useCanvas((state) => state.graphId);
  const trpc = useTRPC();
  const versions = useQuery(trpc.graphs.versions.queryOptions({ id }));
  const newest = versions.data?.[0];
  const version = useQuery(trpc.graphs.version.queryOptions({ hash: newest?.hash ?? "" }, { enabled: newest !== undefined }));
  const models = useQuery(trpc.models.list.queryOptions());
  const failure = versions.error ?? version.error ?? models.error;
  if (failure) {
    const { message, requestId } = apiError(failure);

    return (
      <EmptyState kind="failed" title="The launch form could not be read" requestId={requestId}>
        {message}
      </EmptyState>
    );
  }
  if (versions.data && !newest) {
    return (
      <EmptyState kind="nothing_yet" title="Nothing is published yet">
        Only a published version can run: publish this draft first.
      </EmptyState>
    );
  }
  if (!version.data || !models.data) return <SkeletonRows rows={5} />;

  return <RunForm version={version.data} models={models.data} />;
};

type Props = { readonly open: boolean; readonly onClose: () => void };

/** Starts a run of the newest version. */
export const RunDialog = ({ open, onClose }: Props) => (
  <Dialog open={open} onOpenChange={(next) => (next ? undefined : onClose())} title="Start a run" size="lg">
    <RunBody />
  </Dialog>
);
