import type { ReactNode } from "react";
import { cn } from "./cn";

type Props = { readonly children: ReactNode; readonly mono?: boolean; readonly className?: string | undefined };

/** Neutral tag; judgements use `Mark`. */
export const Badge = ({ children, mono = false, className }: Props) => (
  <span
    className={cn(
      "inline-flex h-5 items-center gap-1 rounded-sm bg-sunken px-1.5 text-xs whitespace-nowrap text-muted ring-1 ring-line ring-inset",
      mono && "font-mono",
      className,
    )}
  >
    {children}
  </span>
);
