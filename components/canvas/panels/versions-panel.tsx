"use client";

import { useQuery } from "@tanstack/react-query";
import { useCanvas } from "@/components/canvas/state/canvas-context";
import { apiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { DigestChip } from "@/components/ui/digest-chip";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { SkeletonRows } from "@/components/ui/skeleton";

/** What was published, newest first. Each is immutable and named by its digest. */
export const VersionsPanel = () => {
  const id = useCanvas((state) => state.graphId);
  const trpc = useTRPC();
  const versions = useQuery(trpc.graphs.versions.queryOptions({ id }));
  if (versions.isError) {
    const { message, requestId } = apiError(versions.error);

    return (
      <EmptyState kind="failed" title="The versions could not be read" requestId={requestId}>
        {message}
      </EmptyState>
    );
  }
  if (!versions.data) return <SkeletonRows rows={3} />;
  if (versions.data.length === 0) {
    return (
      <EmptyState kind="nothing_yet" title="Nothing is published yet">
        Only a published version can run.
      </EmptyState>
    );
  }

  return (
    <ul className="divide-y">
      {versions.data.map((version) => (
        <li key={version.hash} className="flex items-center gap-3 px-3 py-2 text-sm">
          <span className="tabular w-8 font-medium">v{version.number}</span>
          <DigestChip digest={version.hash} label="version" />
          <span className="min-w-0 flex-1 truncate text-muted">{version.authorName}</span>
          <RelativeTime at={version.publishedAt} className="text-xs text-muted" />
        </li>
      ))}
    </ul>
  );
};
