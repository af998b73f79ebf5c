"use client";

import { Field as Base } from "@base-ui/react/field";
import type { ReactNode } from "react";
import { cn } from "./cn";

type Props = {
  readonly label: ReactNode;
  readonly children: ReactNode;
  readonly hint?: ReactNode;
  readonly error?: string | null | undefined;
  readonly name?: string;
  readonly className?: string | undefined;
};

/** Label, hint and error, linked for screen readers. */
export const Field = ({ label, children, hint, error, name, className }: Props) => (
  <Base.Root {...(name ? { name } : {})} invalid={Boolean(error)} className={cn("flex flex-col gap-1", className)}>
    <Base.Label className="text-sm font-medium text-ink">{label}</Base.Label>
    {children}
    {hint ? <Base.Description className="text-xs text-muted">{hint}</Base.Description> : null}
    <Base.Error match={Boolean(error)} className="text-xs text-refused">
      {error}
    </Base.Error>
  </Base.Root>
);
