"use client";

import { cn } from "@/components/ui/cn";
import { Mark } from "@/components/ui/marks/mark";
import { Badge } from "@/components/ui/badge";
import { isLongName } from "@/lib/engine/approvals/view-parts";
import { cutName, DiffRows, Steering } from "./diff-rows";
import { Gutter } from "./gutter";
import { LineFiles } from "./line-files";
import { HiddenValue } from "./hidden-value";
import type { People } from "./origin-text";
import type { LineModel } from "./view-model";

const isOnePiece = ({ rows }: LineModel): boolean => rows.length === 0 || (rows.length === 1 && rows[0]?.place === "");

type Props = {
  readonly model: LineModel;
  readonly people: People;
  /** Text of an unknown value before; null: nothing was compared. */
  readonly without: string | null;
};

export const DiffLine = ({ model, people, without }: Props) => {
  const { line, path, op, isHidden, change, rows, steers, isLikeBefore } = model;
  const isCut = isLongName(line.path);

  return (
    <li
      tabIndex={-1}
      data-diff-line
      data-steers={steers.length > 0 || undefined}
      className={cn(
        "grid grid-cols-[minmax(0,16rem)_minmax(0,1fr)_minmax(0,15rem)] gap-x-4 gap-y-1 border-b border-l-2 border-l-transparent px-3 py-2 last:border-b-0 focus-visible:-outline-offset-2 max-lg:grid-cols-[minmax(0,16rem)_minmax(0,1fr)] max-sm:grid-cols-1",
        steers.length > 0 && "border-l-tainted",
      )}
    >
      <div className="flex min-w-0 flex-wrap items-baseline gap-x-2 gap-y-1 self-start">
        <span className="font-mono text-xs font-medium break-all">{isCut ? cutName(path) : path}</span>
        {op === "current" || op === "asks" || op === "send" ? <Badge>{op}</Badge> : null}
        {change === null ? null : <span className="text-xs text-muted">{change}</span>}
      </div>
      <div className="flex min-w-0 flex-col gap-1">
        {isHidden ? <HiddenValue line={line} /> : <DiffRows rows={rows} without={without} name={isCut ? path : null} />}
        <LineFiles line={line} />
        {isOnePiece(model) && steers.length > 0 ? (
          <span className="flex flex-wrap gap-1">
            {steers.map((kind) => (
              <Steering key={kind} kind={kind} />
            ))}
          </span>
        ) : null}
        {!isOnePiece(model) && steers.length > 0 ? <Mark kind="tainted" shapeOnly /> : null}
      </div>
      <div className="max-lg:col-span-2 max-sm:col-span-1">
        <Gutter line={line} isLikeBefore={isLikeBefore} people={people} />
      </div>
    </li>
  );
};
