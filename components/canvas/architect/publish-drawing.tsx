"use client";

import { useQuery } from "@tanstack/react-query";
import { GitCompareArrows } from "lucide-react";
import { useMemo } from "react";
import { useCanvas, useDocument } from "@/components/canvas/state/canvas-context";
import { useCanvasUrl } from "@/components/canvas/state/use-canvas-url";
import { ChangeRows } from "@/components/canvas/versions/change-list";
import { DRAFT, toDraftSide, describeSides } from "@/components/canvas/versions/sides";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { diffGraphs, type ChangeMark, type GraphDiff } from "@/lib/graph/diff";
import { Disclosure } from "@/components/analysis/disclosure";

const MARKS: readonly ChangeMark[] = ["added", "changed", "removed"];

const summary = ({ nodes, edges, memory, settings }: GraphDiff): string => {
  const marks = [...nodes.values(), ...edges.values(), ...memory.values(), ...settings.map((): ChangeMark => "changed")];
  const counts = MARKS.flatMap((mark) => {
    const count = marks.filter((one) => one === mark).length;

    return count === 0 ? [] : [`${count} ${mark}`];
  });

  return counts.length === 0 ? "No changes to the graph" : `Changes to the graph: ${counts.join(", ")}`;
};

type Props = { readonly base: { readonly hash: string; readonly number: number } };

export const PublishDrawing = ({ base }: Props) => {
  const draft = useDocument();
  const catalog = useCanvas((state) => state.catalog);
  const { setPlace } = useCanvasUrl();
  const version = useQuery(useTRPC().graphs.version.queryOptions({ hash: base.hash }, { staleTime: Infinity }));
  const before = version.data?.published.graph ?? null;
  const after = useMemo(() => toDraftSide(draft, catalog).published.graph, [draft, catalog]);
  const diff = useMemo(() => (before ? diffGraphs(before, after) : null), [before, after]);
  if (!before || !diff) return null;

  return (
    <div className="flex items-start gap-3">
      <div className="min-w-0 flex-1">
        <Disclosure summary={summary(diff)}>
          <ChangeRows diff={diff} before={before} after={after} />
        </Disclosure>
      </div>
      <Button
        onClick={() =>
          void setPlace(
            { dialog: null, diff: describeSides({ before: base.hash, after: DRAFT }), node: null, edge: null },
            { history: "push" },
          )
        }
      >
        <GitCompareArrows aria-hidden /> Show on canvas
      </Button>
    </div>
  );
};
