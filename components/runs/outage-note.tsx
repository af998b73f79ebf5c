"use client";

import { useMutation } from "@tanstack/react-query";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Mark } from "@/components/ui/marks/mark";
import { useNow } from "@/components/ui/use-now";
import { describeOutage, formatWait } from "@/lib/engine/outage-causes";
import type { RunState } from "@/lib/engine/state";
import { formatAbsoluteTime } from "@/lib/format";
import { explainDenial, type Role } from "@/lib/roles";

type Props = { readonly runId: string; readonly state: Pick<RunState, "status" | "outage" | "retryAt">; readonly role: Role };

export const OutageNote = ({ runId, state: { status, outage, retryAt }, role }: Props) => {
  const now = useNow();
  const retry = useMutation(useTRPC().runs.retryNow.mutationOptions());
  if (status !== "retrying" || outage === null || retryAt === null) return null;
  const leftMs = retryAt - now;

  return (
    <output aria-label="Model provider" className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b px-6 py-2 text-sm max-sm:px-4">
      <Mark kind="waiting">{describeOutage(outage)}</Mark>
      <span suppressHydrationWarning title={formatAbsoluteTime(retryAt)} className="tabular-nums text-muted">
        {leftMs > 0 ? `Next attempt in ${formatWait(leftMs)}` : "Trying again…"}
      </span>
      {retry.error ? <span className="text-xs text-refused">{toApiError(retry.error).message}</span> : null}
      <Button
        size="sm"
        className="ml-auto"
        disabledReason={explainDenial(role, "run.start")}
        pending={retry.isPending ? "Trying…" : null}
        onClick={() => retry.mutate({ runId })}
      >
        Try now
      </Button>
    </output>
  );
};
