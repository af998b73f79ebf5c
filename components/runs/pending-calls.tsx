"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { Mark } from "@/components/ui/marks/mark";
import { RelativeTime } from "@/components/ui/relative-time";
import type { Effect, RunState } from "@/lib/engine/state";
import { describeProgress } from "./progress-text";
import { toVisibleText } from "@/components/values/visible-text";

const POLL_MS = 2_000;

const CallUnderWay = ({ runId, effect }: { readonly runId: string; readonly effect: Effect }) => {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.runs.progress.queryOptions({ runId, effectId: effect.effect_id }, { refetchInterval: POLL_MS }));
  if (!data) return null;

  return (
    <li className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 px-6 py-1.5 text-sm">
      <Mark kind="waiting">In progress</Mark>
      <span className="font-mono text-xs break-all">
        {effect.effect.server}/{effect.effect.tool}
      </span>
      {data === "hidden" ? (
        <Mark kind="hidden">Progress hidden from your role</Mark>
      ) : (
        <>
          <span className="tabular-nums">{describeProgress(data)}</span>
          {data.message === null ? null : (
            <span className="flex min-w-0 items-center gap-1.5">
              <Mark kind="tainted">Server message</Mark>
              <span className="min-w-0 font-mono text-xs break-words">{toVisibleText(data.message)}</span>
            </span>
          )}
          <RelativeTime at={data.at} className="text-xs text-muted" />
        </>
      )}
    </li>
  );
};

export const CallsUnderWay = ({ runId, state }: { readonly runId: string; readonly state: RunState }) => {
  const open = Object.values(state.effects).filter(({ outcome }) => outcome === null);
  if (open.length === 0) return null;

  return (
    <ul aria-label="Calls in progress" className="border-b empty:hidden">
      {open.map((effect) => (
        <CallUnderWay key={effect.effect_id} runId={runId} effect={effect} />
      ))}
    </ul>
  );
};
