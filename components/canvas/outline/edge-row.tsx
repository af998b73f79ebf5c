"use client";

import { CornerDownRight } from "lucide-react";
import { memo } from "react";
import type { Decoration } from "@/components/canvas/flow/decoration";
import { Badge } from "@/components/ui/badge";
import { cn } from "@/components/ui/cn";
import type { GraphEdge } from "@/lib/graph/document";
import type { ChangeMark } from "@/lib/graph/diff";
import type { Problem } from "@/lib/graph/problems/problem";
import { MARKED, ProblemCounts, Remark } from "./cells";
import { RowFrame, type RowProps } from "./row-frame";
import type { EdgeRow, JointRow } from "./rows";

type Props = RowProps & {
  readonly row: EdgeRow | JointRow;
  readonly problems: readonly Problem[];
  readonly mark: ChangeMark | undefined;
  readonly decoration: Decoration | undefined;
};

const TAKEN = { normal: "always", default: "otherwise", error: "on error", timeout: "on timeout" } as const satisfies Record<
  GraphEdge["kind"],
  string
>;

const When = ({ row }: Pick<Props, "row">) => {
  if (row.type === "joint") return <span className="text-xs text-muted">{row.label}</span>;
  const { condition, kind } = row.edge;
  if (condition === undefined) return <span className="text-xs whitespace-nowrap text-muted">{TAKEN[kind]}</span>;

  return (
    <code className="truncate font-mono text-xs text-muted" title={condition}>
      {condition}
    </code>
  );
};

export const EdgeListRow = memo(({ row, problems, mark, decoration, ...frame }: Props) => (
  <RowFrame {...frame} row={row} name={`the edge from ${row.source} to ${row.target}`} className="h-7">
    {/* oxlint-disable jsx-a11y/prefer-tag-over-role -- cells of the tree grid around them */}
    <div role="rowheader" aria-colspan={6} className="col-span-6 flex min-w-0 items-center gap-1.5 pr-2 pl-7">
      <CornerDownRight aria-hidden className="size-3.5 shrink-0 text-faint" />
      <span className="tabular w-4 shrink-0 text-right text-xs text-faint">{row.type === "edge" ? row.at : ""}</span>
      <span className="flex max-w-[60%] min-w-0">
        <When row={row} />
      </span>
      <span className="shrink-0 text-xs text-faint">to</span>
      <span className={cn("truncate text-sm", decoration?.tone === "faded" && "text-faint")}>{row.targetName}</span>
      {mark ? <Badge>{MARKED[mark]}</Badge> : null}
      <Remark decoration={decoration} />
    </div>
    <div role="gridcell" className="flex items-center">
      <ProblemCounts problems={problems} />
    </div>
    {/* oxlint-enable jsx-a11y/prefer-tag-over-role */}
  </RowFrame>
));
EdgeListRow.displayName = "EdgeListRow";
