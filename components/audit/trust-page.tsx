"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter, useSearchParams } from "next/navigation";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { buttonStyle } from "@/components/ui/button-style";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { SkeletonRows } from "@/components/ui/skeleton";
import { filterOfQuery, filterQuery, NO_FILTER, type TrustFilter } from "@/lib/engine/labels/trust-filter";
import { TRUST_FORMATS } from "@/lib/engine/labels/trust-lines";
import { explainDenial, type Role } from "@/lib/roles";
import { TrustFilters } from "./trust-filters";
import { SavedViews } from "./saved-views";
import { TrustTable } from "./trust-table";
import { ZonesHelp } from "./zones-help";

/** Only while the first page is loaded. */
const REFRESH_MS = 10_000;

const everything = (
  <Link href="/audit/trust" className={buttonStyle()}>
    Clear filters
  </Link>
);

const Listing = ({ filter }: { readonly filter: TrustFilter }) => {
  const trpc = useTRPC();
  const log = useInfiniteQuery(
    trpc.trust.list.infiniteQueryOptions(
      { filter },
      {
        getNextPageParam: (page) => page.nextCursor ?? undefined,
        refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : REFRESH_MS),
      },
    ),
  );
  if (log.isPending) return <SkeletonRows rows={12} />;
  if (log.isError) {
    const { code, message, requestId } = toApiError(log.error);

    return code === "forbidden" ? (
      <EmptyState kind="not_permitted" title={message} />
    ) : (
      <EmptyState
        kind="failed"
        title="The trust log could not be loaded"
        requestId={requestId}
        action={<Button onClick={() => void log.refetch()}>Try again</Button>}
      >
        {message}
      </EmptyState>
    );
  }
  const { pages } = log.data;
  const rows = pages.flatMap((page) => page.events);
  const names = Object.fromEntries(pages.flatMap((page) => Object.entries(page.names)));
  if (rows.length === 0 && filterQuery(filter) !== "") return <EmptyState kind="no_match" title="No matching events" action={everything} />;
  if (rows.length === 0) {
    return (
      <EmptyState kind="nothing_yet" title="No trust events yet">
        Runs add tainted values, denials, verdicts, promotions and opened values here.
      </EmptyState>
    );
  }

  return (
    <div className="border-t bg-surface px-3">
      <TrustTable rows={rows} names={names} ownLedger={pages[0]?.ownLedger ?? ""} />
      {log.hasNextPage ? (
        <div className="flex justify-center p-3">
          <Button pending={log.isFetchingNextPage ? "Loading…" : null} onClick={() => void log.fetchNextPage()}>
            Load more
          </Button>
        </div>
      ) : null}
    </div>
  );
};

type Props = { readonly role: Role; readonly auditor: boolean };

const Exports = ({ role, auditor, query }: Props & { readonly query: string }) => {
  const reason = explainDenial(role, "trust.export", auditor);

  return TRUST_FORMATS.map((format) => {
    const name = `Export ${format.toUpperCase()}`;

    return reason ? (
      <Button key={format} disabledReason={reason}>
        {name}
      </Button>
    ) : (
      // The router must not handle downloads.
      <a
        key={format}
        href={`/api/trust/export?${new URLSearchParams({ format })}${query === "" ? "" : `&${query}`}`}
        download
        className={buttonStyle()}
      >
        {name}
      </a>
    );
  });
};

/** Taint, denials, decisions and opened values. */
export const TrustPage = ({ role, auditor }: Props) => {
  const router = useRouter();
  const filter = filterOfQuery(useSearchParams());
  const reason = explainDenial(role, "trust.read", auditor);
  if (reason) {
    return (
      <EmptyState kind="not_permitted" isPage title="You don't have access to the trust log.">
        {reason}
      </EmptyState>
    );
  }
  const change = (next: Partial<TrustFilter>) => router.push(`/audit/trust?${filterQuery({ ...(filter ?? NO_FILTER), ...next })}`);

  return (
    <>
      <PageHeader
        title="Trust log"
        description="Tainted values, denials, verdicts, promotions and opened values from the signed ledgers, with who caused them."
        actions={
          <>
            <ZonesHelp />
            <Exports role={role} auditor={auditor} query={filterQuery(filter ?? NO_FILTER)} />
          </>
        }
      />
      <SavedViews filter={filter ?? NO_FILTER} />
      <TrustFilters filter={filter ?? NO_FILTER} onChange={change} />
      {filter === null ? (
        <EmptyState kind="no_match" title="The filter in this link is invalid" action={everything} />
      ) : (
        <Listing filter={filter} />
      )}
    </>
  );
};
