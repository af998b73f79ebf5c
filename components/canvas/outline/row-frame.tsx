"use client";

import { Ellipsis } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "@/components/ui/cn";
import { GRID } from "./columns";
import type { Row } from "./rows";

export type RowProps = {
  readonly index: number;
  /** Tab stop and subject of keys. */
  readonly isActive: boolean;
  readonly isSelected: boolean;
};

type Props = RowProps & { readonly row: Row; readonly name: string; readonly className: string; readonly children: ReactNode };

/** Outline row as one Tab stop; the grid handles clicks. */
export const RowFrame = ({ row, name, index, isActive, isSelected, className, children }: Props) => (
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
        data-does="menu"
      >
        <Ellipsis aria-hidden className="size-4" />
      </button>
    </div>
  </div>
);
