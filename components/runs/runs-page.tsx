"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { apiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { buttonStyle } from "@/components/ui/button-style";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { SkeletonRows } from "@/components/ui/skeleton";
import { RUN_STATUSES } from "@/lib/engine/event";
import { whyNot, type Role } from "@/lib/roles";
import { RunFilters } from "./run-filters";
import { RunTable } from "./run-table";

/** The list is not live by itself; a run's own page is. */
const REFRESH_MS = 5_000;

const StartLink = ({ role }: { readonly role: Role }) => {
  const reason = whyNot(role, "run.start");

  return reason ? (
    <Button variant="primary" disabledReason={reason}>
      Start a run
    </Button>
  ) : (
    <Link href="/graphs" className={buttonStyle({ variant: "primary" })}>
      Start a run
    </Link>
  );
};

const useRuns = () => {
  const trpc = useTRPC();
  const [filter, setFilter] = useQueryStates({ status: parseAsStringLiteral(RUN_STATUSES), graph: parseAsString });
  const runs = useInfiniteQuery(
    trpc.runs.list.infiniteQueryOptions(
      { status: filter.status, graph_id: filter.graph },
      { getNextPageParam: (page) => page.nextCursor ?? undefined, refetchInterval: REFRESH_MS },
    ),
  );

  return { filter, setFilter, runs };
};

const Listing = ({
  runs,
  isFiltered,
  onClear,
}: {
  readonly runs: ReturnType<typeof useRuns>["runs"];
  readonly isFiltered: boolean;
  readonly onClear: () => void;
}) => {
  if (runs.isPending) return <SkeletonRows rows={8} />;
  if (runs.isError) {
    const { message, requestId } = apiError(runs.error);

    return (
      <EmptyState
        kind="failed"
        title="The runs could not be loaded"
        requestId={requestId}
        action={<Button onClick={() => void runs.refetch()}>Try again</Button>}
      >
        {message}
      </EmptyState>
    );
  }
  const rows = runs.data.pages.flatMap((page) => page.runs);
  if (rows.length === 0 && isFiltered) {
    return <EmptyState kind="no_match" title="No run matches" action={<Button onClick={onClear}>Clear the filters</Button>} />;
  }
  if (rows.length === 0) {
    return (
      <EmptyState kind="nothing_yet" title="Nothing has run yet">
        Publish a version of a graph and start it; each run then leaves its ledger here.
      </EmptyState>
    );
  }

  return (
    <div className="border-t bg-surface px-3">
      <RunTable runs={rows} />
      {runs.hasNextPage ? (
        <div className="flex justify-center p-3">
          <Button pending={runs.isFetchingNextPage ? "Loading…" : null} onClick={() => void runs.fetchNextPage()}>
            Older runs
          </Button>
        </div>
      ) : null}
    </div>
  );
};

/** All runs of the workspace. */
export const RunsPage = ({ role }: { readonly role: Role }) => {
  const { filter, setFilter, runs } = useRuns();
  const isFiltered = filter.status !== null || filter.graph !== null;

  return (
    <>
      <PageHeader title="Runs" description="Every run of a published version, with its ledger." actions={<StartLink role={role} />} />
      <RunFilters
        status={filter.status}
        graphId={filter.graph}
        onStatus={(status) => void setFilter({ status })}
        onGraph={(graph) => void setFilter({ graph })}
      />
      <Listing runs={runs} isFiltered={isFiltered} onClear={() => void setFilter({ status: null, graph: null })} />
    </>
  );
};
