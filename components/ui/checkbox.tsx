"use client";

import { Checkbox as Base } from "@base-ui/react/checkbox";
import { Check } from "lucide-react";
import type { ReactNode } from "react";

type Props = {
  readonly checked: boolean;
  readonly onCheckedChange: (checked: boolean) => void;
  readonly children: ReactNode;
  readonly disabled?: boolean;
};

export const Checkbox = ({ checked, onCheckedChange, children, disabled = false }: Props) => (
  <label className="flex items-start gap-2 text-sm">
    <Base.Root
      checked={checked}
      disabled={disabled}
      onCheckedChange={(next) => onCheckedChange(next)}
      className="mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-sm border border-control bg-surface data-checked:border-accent data-checked:bg-accent data-disabled:opacity-55"
    >
      <Base.Indicator className="text-on-accent">
        <Check aria-hidden className="size-3" strokeWidth={3} />
      </Base.Indicator>
    </Base.Root>
    <span>{children}</span>
  </label>
);
