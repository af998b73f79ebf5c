"use client";

import { Ellipsis } from "lucide-react";
import type { MouseEvent, ReactNode } from "react";
import { cn } from "@/components/ui/cn";
import { GRID } from "./columns";
import type { Row } from "./rows";

export type RowProps = {
  /** Its place among all rows, from 0 on. */
  readonly index: number;
  /** It is where Tab comes in, and what keys are about. */
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly onSelect: (index: number, event: MouseEvent) => void;
  readonly onMenu: (index: number, anchor: Element) => void;
};

type Props = RowProps & { readonly row: Row; readonly name: string; readonly className: string; readonly children: ReactNode };

/** What every row of the outline is: one stop for the keyboard, selected by a click, with its actions at the end. */
export const RowFrame = ({ row, name, index, isActive, isSelected, onSelect, onMenu, className, children }: Props) => (
  // The grid has the keyboard; a row takes only the mouse.
  // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
  <div
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a row of the tree grid around it, of which only some are rendered
    role="row"
    tabIndex={isActive ? 0 : -1}
    data-row={row.key}
    {...(row.type === "joint" ? {} : { "data-place": row.key })}
    aria-level={row.type === "node" ? 1 : 2}
    aria-posinset={row.at}
    aria-setsize={row.of}
    aria-rowindex={index + 2}
    aria-selected={isSelected}
    {...(row.type === "node" && row.isOpen !== null ? { "aria-expanded": row.isOpen } : {})}
    className={cn(
      GRID,
      "group/row border-b border-l-2 border-l-transparent pr-1 pl-1 hover:bg-hover/60 focus-visible:-outline-offset-2",
      isSelected && "border-l-accent bg-accent-soft hover:bg-accent-soft",
      className,
    )}
    onClick={(event) => onSelect(index, event)}
    onContextMenu={(event) => {
      event.preventDefault();
      onMenu(index, event.currentTarget);
    }}
  >
    {children}
    {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a cell of the tree grid around it */}
    <div role="gridcell" className="flex justify-end">
      <button
        type="button"
        tabIndex={-1}
        aria-label={`Actions for ${name}`}
        aria-haspopup="menu"
        className={cn(
          "inline-flex size-6 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink",
          !isActive && "opacity-0 group-hover/row:opacity-100",
        )}
        onClick={(event) => {
          event.stopPropagation();
          onMenu(index, event.currentTarget);
        }}
      >
        <Ellipsis aria-hidden className="size-4" />
      </button>
    </div>
  </div>
);
