"use client";

import { X } from "lucide-react";
import { Badge } from "@/components/ui/badge";

type Props = {
  readonly label: string;
  readonly items: readonly { readonly value: string; readonly label: string }[];
  readonly onRemove: (value: string) => void;
  readonly lastStays?: string;
};

export const Chips = ({ label, items, onRemove, lastStays }: Props) => {
  const isKept = lastStays !== undefined && items.length === 1;

  return (
    <>
      {items.length === 0 ? null : (
        <ul aria-label={label} className="flex flex-wrap gap-1">
          {items.map((item) => (
            <li key={item.value} className="max-w-full">
              <Badge mono className={isKept ? "max-w-full" : "max-w-full pr-0.5"}>
                <span className="truncate">{item.label}</span>
                {isKept ? null : (
                  <button
                    type="button"
                    aria-label={`Remove ${item.label} from ${label}`}
                    className="rounded-sm p-0.5 hover:text-ink disabled:hidden"
                    onClick={() => onRemove(item.value)}
                  >
                    <X aria-hidden className="size-3" />
                  </button>
                )}
              </Badge>
            </li>
          ))}
        </ul>
      )}
      {isKept ? <p className="text-xs text-muted">{lastStays}</p> : null}
    </>
  );
};
