"use client";

import { useQuery } from "@tanstack/react-query";
import { ReachList } from "@/components/analysis/reach-list";
import { Witness } from "@/components/analysis/witness";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Panel } from "@/components/ui/panel";
import { SkeletonRows } from "@/components/ui/skeleton";
import { describeSink } from "@/lib/graph/analyse/labels";
import type { GateReach } from "@/server/trpc/routers/approvals/gate-reach";
import { callText, describeNext, describeShaping } from "./reach-text";

const Facts = ({ reach }: { readonly reach: GateReach }) => {
  const nameOf = (id: string) => reach.titles[id] ?? id;

  return (
    <div className="flex flex-col gap-2 px-3 py-2 text-sm">
      <p>{callText(reach)}</p>
      <div className="flex flex-col gap-1">
        <p>{describeShaping(reach, nameOf)}</p>
        {reach.flows.map(({ sink, witness }, index) => (
          <div key={index}>
            {reach.call ? null : <p className="text-xs text-muted">{describeSink(sink, nameOf)}:</p>}
            <Witness steps={witness} nameOf={nameOf} />
          </div>
        ))}
      </div>
      <p>{describeNext(reach.next, nameOf)}</p>
      {reach.steers.length === 0 ? null : (
        <details>
          <summary className="text-xs font-medium text-muted hover:text-ink">Also reachable from here ({reach.steers.length})</summary>
          <div className="mt-1 border-l-2 pl-3">
            <ReachList reachable={reach.steers} nameOf={nameOf} />
          </div>
        </details>
      )}
      {reach.more > 0 ? <p className="text-xs text-muted">And {reach.more} more.</p> : null}
    </div>
  );
};

/** Effects of approval by static analysis; not signed. */
export const GateReachPanel = ({ approvalId }: { readonly approvalId: string }) => {
  const reach = useQuery(useTRPC().approvals.reach.queryOptions({ approvalId }, { staleTime: Infinity }));
  const failure = reach.error ? toApiError(reach.error) : null;

  return (
    <Panel title="What approval allows">
      {reach.data ? <Facts reach={reach.data} /> : null}
      {reach.data === null ? <p className="px-3 py-2 text-sm">This node is not in the graph.</p> : null}
      {reach.isPending ? <SkeletonRows rows={3} /> : null}
      {failure ? (
        <EmptyState
          kind="failed"
          title="The analysis could not be loaded"
          requestId={failure.requestId}
          action={<Button onClick={() => void reach.refetch()}>Try again</Button>}
        >
          {failure.message}
        </EmptyState>
      ) : null}
    </Panel>
  );
};
