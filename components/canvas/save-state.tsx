"use client";

import { useCanvas } from "@/components/canvas/state/canvas-context";
import type { SaveStatus } from "@/components/canvas/state/canvas-store";
import { Mark } from "@/components/ui/marks/mark";

const TEXTS: Record<Exclude<SaveStatus, "failed" | "conflict">, string> = { saved: "Saved", dirty: "Not saved yet", saving: "Saving…" };

/** Whether the server has what is drawn, and as which revision. */
export const SaveState = () => {
  const status = useCanvas((state) => state.status);
  const revision = useCanvas((state) => state.revision);
  const failure = useCanvas((state) => state.failure);

  return (
    <output className="tabular text-xs text-muted">
      {status === "failed" || status === "conflict" ? (
        <Mark kind="refused">{failure ?? "Not saved: there is a conflict"}</Mark>
      ) : (
        `${TEXTS[status]} · revision ${revision}`
      )}
    </output>
  );
};
