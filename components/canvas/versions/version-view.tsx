"use client";

import { useQuery } from "@tanstack/react-query";
import { Download, GitCompareArrows, RotateCcw, X } from "lucide-react";
import { useMemo, useState } from "react";
import { CanvasPane } from "@/components/canvas/flow/canvas-pane";
import { GraphsLink } from "@/components/canvas/graphs-link";
import { Overlay } from "@/components/canvas/overlay/overlay";
import { SidePanel } from "@/components/canvas/side-panel";
import { useCanvas } from "@/components/canvas/state/canvas-context";
import { useCanvasUrl } from "@/components/canvas/state/use-canvas-url";
import { useProblems } from "@/components/canvas/state/use-problems";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { DigestChip } from "@/components/ui/digest-chip";
import { PageHeader } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { SkeletonRows } from "@/components/ui/skeleton";
import { diffRegistry } from "@/lib/graph/registry-diff";
import { getProblemId, type Problem } from "@/lib/graph/problems/problem";
import { FixedCanvas } from "./fixed-canvas";
import { DRAFT, freezeCatalog, describeSides } from "./sides";
import { PublishersText } from "./publishers-text";
import { RestoreDialog } from "./restore-dialog";
import { useRestore } from "./use-restore";
import { VersionFailure } from "./version-failure";

const READ_ONLY = "Versions can't be changed. Restore it to the draft to edit";

const Body = () => {
  const problems = useProblems();
  const select = useCanvas((state) => state.select);
  const { place, setPlace } = useCanvasUrl();
  const jump = (problem: Problem) => {
    select({ nodes: problem.node === undefined ? [] : [problem.node], edges: problem.edge === undefined ? [] : [problem.edge] });
    void setPlace({ problem: getProblemId(problem), panel: "problems" });
  };

  return (
    <div className="flex min-h-0 flex-1">
      <section aria-label="Canvas" className="flex min-w-0 flex-1 flex-col">
        <Overlay />
        <div className="min-h-0 flex-1">
          <CanvasPane />
        </div>
      </section>
      <SidePanel
        panel={place.panel}
        onPanel={(panel) => void setPlace({ panel })}
        problems={problems}
        problem={place.problem}
        onJump={jump}
        onStep={jump}
      />
    </div>
  );
};

export const VersionView = ({ hash }: { readonly hash: string }) => {
  const { place, setPlace } = useCanvasUrl();
  const id = useCanvas((state) => state.graphId);
  const catalog = useCanvas((state) => state.catalog);
  const name = useCanvas((state) => state.history.document.name);
  const version = useQuery(useTRPC().graphs.version.queryOptions({ hash }, { staleTime: Infinity }));
  const { whyNot, restore } = useRestore();
  const found = version.data;
  const frozen = useMemo(() => (found ? freezeCatalog(found.published, catalog) : catalog), [found, catalog]);
  const [isAsking, setIsAsking] = useState(false);
  const readOnly = useCanvas((state) => state.readOnly);
  const differences = useMemo(() => (found ? diffRegistry(found.published, catalog) : { agents: [], tools: [] }), [found, catalog]);
  const differs = differences.agents.length + differences.tools.length > 0;
  const whyNotDrawing = found ? whyNot(found.published.graph) : null;
  const leave = (next: { readonly diff?: string } = {}) =>
    void setPlace({ version: null, node: null, edge: null, ...next }, { history: "push" });
  const restoreDrawing = () => {
    if (!found) return;
    restore(found.published.graph, `version ${found.number}`);
    leave();
  };

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <PageHeader
        above={<GraphsLink />}
        title={found ? `${name}, version ${found.number}` : name}
        description={
          found ? (
            <span className="inline-flex flex-wrap items-center gap-2">
              Read only <DigestChip digest={hash} label="version" /> <PublishersText of={found} /> <RelativeTime at={found.publishedAt} />
            </span>
          ) : null
        }
        actions={
          <>
            {found ? (
              <>
                <Button onClick={() => leave({ diff: describeSides({ before: hash, after: DRAFT }) })}>
                  <GitCompareArrows aria-hidden /> Compare with draft
                </Button>
                <Button onClick={() => void setPlace({ dialog: "export" })}>
                  <Download aria-hidden /> Export
                </Button>
                <Button
                  disabledReason={differs ? readOnly : whyNotDrawing}
                  onClick={() => (differs ? setIsAsking(true) : restoreDrawing())}
                >
                  <RotateCcw aria-hidden /> Restore to draft
                </Button>
              </>
            ) : null}
            <Button variant="primary" onClick={() => leave()}>
              <X aria-hidden /> Back to draft
            </Button>
          </>
        }
      />
      <RestoreDialog
        open={isAsking}
        onClose={() => setIsAsking(false)}
        name={found ? `version ${found.number}` : ""}
        differences={differences}
        whyNotDrawing={whyNotDrawing}
        onRestore={restoreDrawing}
      />
      {version.error ? (
        <VersionFailure error={version.error} title="Could not load the version" />
      ) : found ? (
        <FixedCanvas key={hash} graphId={id} document={found.published.graph} catalog={frozen} readOnly={READ_ONLY} node={place.node}>
          <Body />
        </FixedCanvas>
      ) : (
        <SkeletonRows />
      )}
    </div>
  );
};
