"use client";

import { useQuery } from "@tanstack/react-query";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { apiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { CountBadge } from "@/components/ui/count-badge";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { SkeletonRows } from "@/components/ui/skeleton";
import { Tabs } from "@/components/ui/tabs";
import { ApprovalTable } from "./approval-table";

const REFRESH_MS = 3_000;
const SHOWN = ["open", "resolved"] as const;
type ShownStatus = (typeof SHOWN)[number];

const EMPTY = {
  open: { title: "Nothing waits for a person", text: "When a run asks for approval, it appears here." },
  resolved: { title: "Nothing was decided yet", text: "Decided, expired and void approvals stay here." },
} as const satisfies Record<ShownStatus, { title: string; text: string }>;

const useApprovals = (status: ShownStatus) => {
  const trpc = useTRPC();

  return useQuery(trpc.approvals.list.queryOptions({ status }, { refetchInterval: REFRESH_MS }));
};

const Queue = ({ status }: { readonly status: ShownStatus }) => {
  const { data, isPending, error, refetch } = useApprovals(status);
  if (isPending) return <SkeletonRows rows={6} />;
  if (error) {
    const { message, requestId } = apiError(error);

    return (
      <EmptyState
        kind="failed"
        title="The approvals could not be loaded"
        requestId={requestId}
        action={<Button onClick={() => void refetch()}>Try again</Button>}
      >
        {message}
      </EmptyState>
    );
  }
  if (data.length === 0) {
    return (
      <EmptyState kind="nothing_yet" title={EMPTY[status].title}>
        {EMPTY[status].text}
      </EmptyState>
    );
  }

  return (
    <div className="bg-surface">
      <ApprovalTable rows={data} isOpen={status === "open"} />
    </div>
  );
};

/** What waits for a person, and what became of the rest. */
export const ApprovalsPage = () => {
  const trpc = useTRPC();
  const [status, setStatus] = useQueryState("show", parseAsStringLiteral(SHOWN).withDefault("open"));
  const count = useQuery(trpc.approvals.count.queryOptions(undefined, { refetchInterval: REFRESH_MS }));

  return (
    <>
      <PageHeader title="Approvals" description="Risky steps wait here until a person has decided." />
      <Tabs
        aria-label="Which approvals"
        className="px-6 py-2"
        value={status}
        onValueChange={(next) => void setStatus(next)}
        tabs={[
          {
            value: "open",
            label: (
              <>
                Open <CountBadge count={count.data?.open ?? 0} label="open" />
              </>
            ),
            panel: <Queue status="open" />,
          },
          { value: "resolved", label: "Decided", panel: <Queue status="resolved" /> },
        ]}
      />
    </>
  );
};
