import type { ComponentProps } from "react";
import { cn } from "./cn";

/** Compact table; needs `aria-label` or a caption. */
export const Table = ({ className, ...rest }: ComponentProps<"table">) => (
  <div className="min-w-0 overflow-x-auto">
    <table {...rest} className={cn("w-full border-separate border-spacing-0 text-sm", className)} />
  </div>
);

export const TableHead = (props: ComponentProps<"thead">) => <thead {...props} />;

export const TableBody = (props: ComponentProps<"tbody">) => <tbody {...props} />;

export const TableRow = ({ className, ...rest }: ComponentProps<"tr">) => (
  <tr {...rest} className={cn("group/row aria-selected:bg-accent-soft [tbody_&]:hover:bg-hover/60", className)} />
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
    className={cn("h-9 border-b px-3 py-1 align-middle group-last/row:border-b-0", numeric && "tabular text-right", className)}
  />
);
