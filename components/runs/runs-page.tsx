"use client";

import Link from "next/link";
import { Button } from "@/components/ui/button";
import { buttonStyle } from "@/components/ui/button-style";
import { EmptyState } from "@/components/ui/empty-state";
import { LoadMore } from "@/components/ui/load-more";
import { Page } from "@/components/ui/page";
import { QueryState } from "@/components/ui/query-state";
import { ListViews } from "@/components/views/list-views";
import type { Role } from "@/lib/roles";
import { RunFilters } from "./run-filters";
import { RunTable } from "./run-table";
import { StartPicker } from "./start-picker";
import { useRuns, type Runs } from "./use-runs";

/** On request, so that the list does not move. */
const NewerRuns = ({ newer, query }: Pick<Runs, "newer" | "query">) => (
  <output aria-label="Newer runs" className="flex h-8 items-center justify-center text-xs text-muted">
    {newer === 0 ? null : (
      <Button size="sm" pending={query.isRefetching ? "Loading…" : null} onClick={() => void query.refetch()}>
        {newer >= 100 ? "Show 100+ newer runs" : newer === 1 ? "Show 1 newer run" : `Show ${newer} newer runs`}
      </Button>
    )}
  </output>
);

const Listing = ({ query, rows, newer, isFiltered, clear }: Runs) => (
  <QueryState query={query} what="runs" rows={8}>
    {() =>
      rows.length === 0 ? (
        <>
          <NewerRuns newer={newer} query={query} />
          {isFiltered ? (
            <EmptyState kind="no_match" title="No matching runs" action={<Button onClick={clear}>Clear filters</Button>} />
          ) : (
            <EmptyState kind="nothing_yet" title="No runs yet">
              Publish a graph and start a run. Its ledger appears here.
            </EmptyState>
          )}
        </>
      ) : (
        <div className="min-h-0 flex-1 overflow-auto border-t bg-surface px-3">
          <NewerRuns newer={newer} query={query} />
          <RunTable runs={rows} />
          <LoadMore query={query} />
        </div>
      )
    }
  </QueryState>
);

export const RunsPage = ({ role }: { readonly role: Role }) => {
  const runs = useRuns();

  return (
    <Page
      title="Runs"
      description="Runs of published graph versions, each with its own signed ledger."
      actions={
        <>
          <Link href="/runs/import" className={buttonStyle()}>
            Open bundle
          </Link>
          <StartPicker role={role} />
        </>
      }
      isFlush
    >
      <RunFilters filter={runs.filter} onChange={runs.setFilter} />
      <ListViews page="runs" search={runs.search} isFiltered={runs.isFiltered} />
      <Listing {...runs} />
    </Page>
  );
};
