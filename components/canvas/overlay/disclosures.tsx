"use client";

import { useId } from "react";
import { useNodeNames } from "@/components/canvas/analysis/use-node-names";
import { useCanvas } from "@/components/canvas/state/canvas-context";
import { Mark } from "@/components/ui/marks/mark";
import { useTold } from "./use-overlay";

const MOST_LISTED = 100;

export const Told = () => {
  const told = useTold();
  const nameOf = useNodeNames();
  const select = useCanvas((state) => state.select);
  const headingId = useId();
  if (told.size === 0) return null;

  return (
    <section aria-labelledby={headingId} className="border-t px-3 py-2">
      <h3 id={headingId} className="text-sm font-medium">
        Receives secret or personal data
      </h3>
      <ul className="mt-1 flex flex-col">
        {[...told].slice(0, MOST_LISTED).map(([id, level]) => (
          <li key={id} className="flex items-center gap-2">
            <button
              type="button"
              className="min-h-6 min-w-0 flex-1 truncate text-left text-sm hover:text-accent"
              onClick={() => select({ nodes: [id], edges: [] })}
            >
              {nameOf(id)}
            </button>
            <Mark kind="hidden" bare>
              {level === "secret" ? "Secret" : "Personal"}
            </Mark>
          </li>
        ))}
      </ul>
      {told.size > MOST_LISTED ? <p className="text-xs text-muted">And {told.size - MOST_LISTED} more.</p> : null}
    </section>
  );
};
