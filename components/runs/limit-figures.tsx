"use client";

import { cn } from "@/components/ui/cn";
import { useNow } from "@/components/ui/use-now";
import { isTerminal } from "@/lib/engine/event";
import type { RunState } from "@/lib/engine/state";
import { listLimitLines } from "./run-facts";

const NEAR = 0.8;

type Props = {
  readonly state: RunState;
  /** Of the newest record, ms since 1970. */
  readonly updatedAt: number;
};

export const LimitFigures = ({ state, updatedAt }: Props) => {
  const now = useNow();
  const lines = listLimitLines(state, isTerminal(state.status) ? updatedAt : Math.max(now, updatedAt));

  return lines.map(({ name, used, limit, share }) => (
    <div key={name} className="flex h-6 items-center gap-1.5">
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="tabular flex items-center gap-1 text-sm" suppressHydrationWarning>
        {used}
        {limit === null ? null : <span className="text-muted">of {limit}</span>}
        {share === null ? null : (
          <span aria-hidden className="h-1 w-10 overflow-hidden rounded-full bg-sunken">
            <span className={cn("block h-full", share >= NEAR ? "bg-tainted" : "bg-accent")} style={{ width: `${share * 100}%` }} />
          </span>
        )}
      </dd>
    </div>
  ));
};
