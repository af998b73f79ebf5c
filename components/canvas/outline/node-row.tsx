"use client";

import { ChevronDown, ChevronRight, Flag, Play } from "lucide-react";
import { memo } from "react";
import type { Decoration } from "@/components/canvas/flow/decoration";
import { KIND_UIS } from "@/components/canvas/kinds/kind-uis";
import { LabelMark } from "@/components/values/label-mark";
import { Badge } from "@/components/ui/badge";
import { cn } from "@/components/ui/cn";
import type { ChangeMark } from "@/lib/graph/diff";
import { NODE_KINDS } from "@/lib/graph/kinds";
import type { Integrity } from "@/lib/graph/label";
import { getNodeName } from "@/lib/graph/problems/facts";
import type { Problem } from "@/lib/graph/problems/problem";
import { Effect, Keys, MARKED, ProblemCounts, Remark } from "./cells";
import { RowFrame, type RowProps } from "./row-frame";
import type { NodeRow as Data } from "./rows";

type Props = RowProps & {
  readonly row: Data;
  readonly problems: readonly Problem[];
  readonly zone: Integrity | undefined;
  readonly mark: ChangeMark | undefined;
  readonly decoration: Decoration | undefined;
};

const Remarks = ({ row, mark, decoration }: Pick<Props, "row" | "mark" | "decoration">) => (
  <>
    {row.isStart ? (
      <Badge>
        <Play aria-hidden className="size-3" /> Start
      </Badge>
    ) : null}
    {row.isEnd ? (
      <Badge>
        <Flag aria-hidden className="size-3" /> End
      </Badge>
    ) : null}
    {row.isReachable ? null : <span className="text-xs whitespace-nowrap text-faint">unreachable</span>}
    {mark ? <Badge>{MARKED[mark]}</Badge> : null}
    <Remark decoration={decoration} />
  </>
);

export const NodeRow = memo(({ row, problems, zone, mark, decoration, ...frame }: Props) => {
  const { node, isOpen } = row;
  const Icon = KIND_UIS[node.kind].icon;
  const Chevron = isOpen === true ? ChevronDown : ChevronRight;
  const name = getNodeName(node);

  return (
    <RowFrame {...frame} row={row} name={name} className="h-8">
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a cell of the tree grid around it */}
      <div role="rowheader" className="flex min-w-0 items-center gap-1.5 pr-2">
        {/* Mouse only; keyboards use arrows. */}
        <button
          type="button"
          aria-hidden
          tabIndex={-1}
          className={cn("inline-flex size-6 shrink-0 items-center justify-center text-faint", isOpen === null && "invisible")}
          data-does="toggle"
        >
          <Chevron className="size-3.5" />
        </button>
        <Icon aria-hidden className="size-3.5 shrink-0 text-muted" />
        <span
          className={cn(
            "truncate text-sm",
            decoration?.tone === "faded" ? "text-faint" : "font-medium",
            mark === "removed" && "line-through",
          )}
        >
          {name}
        </span>
        {node.title === "" ? null : <span className="min-w-0 shrink-100 truncate font-mono text-xs text-faint">{node.id}</span>}
        <Remarks row={row} mark={mark} decoration={decoration} />
      </div>
      {/* oxlint-disable jsx-a11y/prefer-tag-over-role -- cells of the tree grid around them */}
      <div role="gridcell" className="truncate pr-2 text-xs text-muted">
        {NODE_KINDS[node.kind].title}
      </div>
      <div role="gridcell" className="min-w-0 pr-2">
        <Keys keys={node.read_keys} />
      </div>
      <div role="gridcell" className="min-w-0 pr-2">
        <Keys keys={node.write_keys} />
      </div>
      <div role="gridcell" className="flex items-center">
        {zone === undefined ? null : <LabelMark integrity={zone} bare />}
      </div>
      <div role="gridcell" className="flex items-center">
        <Effect effect={node.effect} />
      </div>
      <div role="gridcell" className="flex items-center">
        <ProblemCounts problems={problems} />
      </div>
      {/* oxlint-enable jsx-a11y/prefer-tag-over-role */}
    </RowFrame>
  );
});
NodeRow.displayName = "NodeRow";
