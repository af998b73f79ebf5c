"use client";

import { useQuery } from "@tanstack/react-query";
import { Download, Eye, GitCompareArrows, Upload } from "lucide-react";
import { useState } from "react";
import { useCanvas } from "@/components/canvas/state/canvas-context";
import { useCanvasUrl } from "@/components/canvas/state/use-canvas-url";
import { PublishersText } from "@/components/canvas/versions/publishers-text";
import { AuthorityLine } from "@/components/canvas/versions/authority-line";
import { DRAFT, describeSides } from "@/components/canvas/versions/sides";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { DigestChip } from "@/components/ui/digest-chip";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { SkeletonRows } from "@/components/ui/skeleton";
import { VersionPlaces } from "./version-places";

const SHOWN = 20;

const List = () => {
  const name = useCanvas((state) => state.history.document.name);
  const environments = useQuery(useTRPC().environments.list.queryOptions()).data?.environments ?? [];
  const mayNot = useCanvas((state) => state.readOnly);
  const id = useCanvas((state) => state.graphId);
  const { place, setPlace } = useCanvasUrl();
  const [shown, setShown] = useState(SHOWN);
  const versions = useQuery(useTRPC().graphs.versions.queryOptions({ id }));
  if (versions.isError) {
    const { message, requestId } = toApiError(versions.error);

    return (
      <EmptyState
        kind="failed"
        title="Could not load versions"
        requestId={requestId}
        action={<Button onClick={() => void versions.refetch()}>Try again</Button>}
      >
        {message}
      </EmptyState>
    );
  }
  if (!versions.data) return <SkeletonRows rows={3} />;
  if (versions.data.length === 0) {
    return (
      <EmptyState kind="nothing_yet" title="No published versions yet">
        Only published versions can run.
      </EmptyState>
    );
  }
  const open = (next: { readonly version?: string; readonly diff?: string }) =>
    void setPlace({ version: null, diff: null, node: null, edge: null, panel: "versions", ...next }, { history: "push" });

  return (
    <>
      <ul className="divide-y">
        {versions.data.slice(0, shown).map((version, index) => {
          const before = versions.data[index + 1];
          const isOpen = place.version === version.hash;

          return (
            <li
              key={version.hash}
              aria-current={isOpen ? "true" : undefined}
              className={cn("flex flex-col gap-1 px-3 py-2 text-sm", isOpen && "bg-sunken")}
            >
              <div className="flex items-center gap-2">
                <span className="tabular font-medium">Version {version.number}</span>
                <DigestChip digest={version.hash} label="version" />
                <span className="flex-1" />
                <Button
                  size="icon"
                  variant="ghost"
                  aria-label={`View version ${version.number}`}
                  disabledReason={isOpen ? "You are viewing it" : null}
                  onClick={() => open({ version: version.hash })}
                >
                  <Eye aria-hidden />
                </Button>
                <Button
                  size="icon"
                  variant="ghost"
                  aria-label={`Compare version ${version.number} with the draft`}
                  onClick={() => open({ diff: describeSides({ before: version.hash, after: DRAFT }) })}
                >
                  <GitCompareArrows aria-hidden />
                </Button>
              </div>
              <AuthorityLine hash={version.hash} />
              <VersionPlaces version={{ ...version, graphName: name }} environments={environments} mayNot={mayNot} />
              <p className="flex min-h-6 items-center gap-2 text-xs text-muted">
                <PublishersText className="min-w-0 truncate" of={version} />
                <RelativeTime at={version.publishedAt} className="shrink-0" />
                <span className="flex-1" />
                {before ? (
                  <button
                    type="button"
                    className="min-h-6 shrink-0 text-accent hover:underline"
                    onClick={() => open({ diff: describeSides({ before: before.hash, after: version.hash }) })}
                  >
                    Changes since version {before.number}
                  </button>
                ) : null}
              </p>
            </li>
          );
        })}
      </ul>
      {versions.data.length > shown ? (
        <p className="p-3">
          <Button onClick={() => setShown(shown + SHOWN)}>{versions.data.length - shown} older versions</Button>
        </p>
      ) : null}
    </>
  );
};

export const VersionsPanel = () => {
  const readOnly = useCanvas((state) => state.readOnly);
  const { setPlace } = useCanvasUrl();

  return (
    <div className="flex flex-col">
      <div className="flex gap-2 border-b p-3">
        <Button onClick={() => void setPlace({ dialog: "export" })}>
          <Download aria-hidden /> Export
        </Button>
        <Button disabledReason={readOnly} onClick={() => void setPlace({ dialog: "import" })}>
          <Upload aria-hidden /> Import
        </Button>
      </div>
      <List />
    </div>
  );
};
