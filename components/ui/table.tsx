"use client";

import { useCallback, type ComponentProps } from "react";
import { cn } from "./cn";

const labelCells = (table: HTMLTableElement): void => {
  const headers = [...(table.tHead?.rows[0]?.cells ?? [])];
  // Only a header that is seen labels its cells.
  const labels = headers.map((header) => (header.querySelector(".sr-only") ? "" : (header.textContent ?? "")));
  for (const { cells } of [...table.tBodies].flatMap(({ rows }) => [...rows]))
    for (const cell of cells) cell.dataset["label"] = labels[cell.cellIndex] ?? "";
};

/** Names cells after columns, for phone cards. */
export const useCellLabels = () =>
  useCallback((table: HTMLTableElement | null) => {
    if (!table) return undefined;
    labelCells(table);
    const observer = new MutationObserver(() => labelCells(table));
    observer.observe(table, { childList: true, subtree: true });

    return () => observer.disconnect();
  }, []);

/** Compact table, cards on phones; needs `aria-label` or a caption. */
export const Table = ({ className, ...rest }: ComponentProps<"table">) => (
  <div className="min-w-0 overflow-x-auto">
    <table {...rest} ref={useCellLabels()} className={cn("w-full border-separate border-spacing-0 text-sm max-sm:block", className)} />
  </div>
);

export const TableHead = (props: ComponentProps<"thead">) => <thead {...props} className="max-sm:hidden" />;

export const TableBody = (props: ComponentProps<"tbody">) => <tbody {...props} className="max-sm:block" />;

export const TableRow = ({ className, ...rest }: ComponentProps<"tr">) => (
  <tr
    {...rest}
    className={cn(
      "group/row aria-selected:bg-accent-soft max-sm:flex max-sm:flex-wrap max-sm:items-center max-sm:gap-x-4 max-sm:gap-y-1 max-sm:border-b max-sm:px-3 max-sm:py-3 max-sm:last:border-b-0 [tbody_&]:hover:bg-hover/60",
      className,
    )}
  />
);

type HeaderProps = ComponentProps<"th"> & { readonly numeric?: boolean };

export const TableHeader = ({ className, numeric = false, scope = "col", ...rest }: HeaderProps) => (
  <th
    {...rest}
    scope={scope}
    className={cn(
      "sticky top-0 z-10 h-8 border-b bg-surface px-3 text-left text-xs font-medium whitespace-nowrap text-muted",
      numeric && "text-right",
      className,
    )}
  />
);

export const ActionsHeader = () => (
  <TableHeader>
    <span className="sr-only">Actions</span>
  </TableHeader>
);

type CellProps = ComponentProps<"td"> & { readonly numeric?: boolean };

export const TableCell = ({ className, numeric = false, ...rest }: CellProps) => (
  <td
    {...rest}
    className={cn(
      "h-9 border-b px-3 py-1 align-middle group-last/row:border-b-0",
      numeric && "tabular text-right",
      // The cell with the row's link heads the card; it and the first cell need no name.
      "max-sm:block max-sm:h-auto max-sm:w-auto max-sm:max-w-full max-sm:min-w-0 max-sm:border-0 max-sm:p-0 max-sm:text-left max-sm:whitespace-normal max-sm:empty:hidden max-sm:has-[>a.font-medium]:basis-full",
      "max-sm:not-first:not-has-[>a.font-medium]:before:mr-1.5 max-sm:not-first:not-has-[>a.font-medium]:before:font-sans max-sm:not-first:not-has-[>a.font-medium]:before:text-xs max-sm:not-first:not-has-[>a.font-medium]:before:text-muted max-sm:not-first:not-has-[>a.font-medium]:before:content-[attr(data-label)]",
      className,
    )}
  />
);
