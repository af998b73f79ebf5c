"use client";

import { Plus, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";

type Props<T> = {
  readonly title: string;
  readonly hint?: string;
  readonly empty: string;
  /** Singular, such as "field". */
  readonly noun: string;
  readonly entries: readonly T[];
  readonly children: (entry: T, index: number) => ReactNode;
  /** Why the last entry can't be removed; null: it can. */
  readonly lastStays?: string | null;
  readonly onRemove: (index: number) => void;
  readonly adds: readonly { readonly label: string; readonly onAdd: () => void; readonly whyNot?: string | null }[];
};

export const EntryList = <T,>({ title, hint, empty, noun, entries, children, lastStays = null, onRemove, adds }: Props<T>) => (
  <fieldset className="flex flex-col gap-3">
    <legend className="mb-2 text-sm font-medium">{title}</legend>
    {hint === undefined ? null : <p className="-mt-1 text-xs text-muted">{hint}</p>}
    {entries.length === 0 ? <p className="rounded-md border border-dashed px-3 py-2 text-xs text-muted">{empty}</p> : null}
    {entries.map((entry, index) => (
      <fieldset key={index} aria-label={`${noun} ${index + 1}`} className="flex min-w-0 flex-col gap-2 border-l-2 pl-3">
        {children(entry, index)}
        <Button
          size="sm"
          variant="ghost"
          className="self-start"
          disabledReason={entries.length === 1 ? lastStays : null}
          onClick={() => onRemove(index)}
        >
          <Trash2 aria-hidden /> Remove {noun} {index + 1}
        </Button>
      </fieldset>
    ))}
    <div className="flex flex-wrap gap-2">
      {adds.map(({ label, onAdd, whyNot = null }) => (
        <Button key={label} size="sm" disabledReason={whyNot} onClick={onAdd}>
          <Plus aria-hidden /> {label}
        </Button>
      ))}
    </div>
  </fieldset>
);
