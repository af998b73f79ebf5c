"use client";

import { ListTree, Workflow } from "lucide-react";
import { cn } from "@/components/ui/cn";

export const VIEWS = ["canvas", "outline"] as const;
export type ViewName = (typeof VIEWS)[number];

const SHOWN = { canvas: { label: "Canvas", Icon: Workflow }, outline: { label: "Outline", Icon: ListTree } } as const;

type Props = { readonly view: ViewName; readonly onView: (view: ViewName) => void };

export const ViewSwitch = ({ view, onView }: Props) => (
  // Fieldsets are for forms.
  // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
  <div role="group" aria-label="View" className="flex h-8 items-center rounded-md border border-line-strong bg-surface p-0.5">
    {VIEWS.map((name) => {
      const { label, Icon } = SHOWN[name];

      return (
        <button
          key={name}
          type="button"
          aria-pressed={view === name}
          aria-keyshortcuts="o"
          className={cn(
            "flex h-full items-center gap-1.5 rounded-sm px-2 text-xs font-medium text-muted transition-colors hover:text-ink",
            view === name && "bg-accent-soft text-ink",
          )}
          onClick={() => onView(name)}
        >
          <Icon aria-hidden className="size-3.5" />
          {label}
        </button>
      );
    })}
  </div>
);
