"use client";

import { cn } from "@/components/ui/cn";
import { Mark } from "@/components/ui/marks/mark";
import { Badge } from "@/components/ui/badge";
import { DiffRows, Steering } from "./diff-rows";
import { Gutter } from "./gutter";
import { HiddenValue } from "./hidden-value";
import type { People } from "./origin-text";
import type { LineModel } from "./view-model";

/** Single values show their control beside the path. */
const isOnePiece = ({ rows }: LineModel): boolean => rows.length === 0 || (rows.length === 1 && rows[0]?.place === "");

type Props = { readonly model: LineModel; readonly people: People };

/** One path with values and provenance. */
export const DiffLine = ({ model, people }: Props) => {
  const { line, path, op, isHidden, change, rows, steers, isLikeBefore } = model;

  return (
    <li
      tabIndex={-1}
      data-diff-line
      data-steers={steers.length > 0 || undefined}
      className={cn(
        "grid grid-cols-[15rem_minmax(0,1fr)] gap-x-4 gap-y-1 border-b border-l-2 border-l-transparent px-3 py-2 last:border-b-0 focus-visible:-outline-offset-2 max-md:grid-cols-1",
        steers.length > 0 && "border-l-tainted",
      )}
    >
      <Gutter line={line} isLikeBefore={isLikeBefore} people={people} />
      <div className="flex min-w-0 flex-col gap-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Badge>{op}</Badge>
          <span className="font-mono text-xs font-medium break-all">{path}</span>
          {change === null ? null : <span className="text-xs text-muted">{change}</span>}
          {isOnePiece(model) ? steers.map((kind) => <Steering key={kind} kind={kind} />) : null}
          {!isOnePiece(model) && steers.length > 0 ? <Mark kind="tainted" shapeOnly /> : null}
        </div>
        {isHidden ? <HiddenValue line={line} /> : <DiffRows rows={rows} />}
      </div>
    </li>
  );
};
