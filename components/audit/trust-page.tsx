"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter, useSearchParams } from "next/navigation";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { buttonStyle } from "@/components/ui/button-style";
import { EmptyState } from "@/components/ui/empty-state";
import { LoadMore } from "@/components/ui/load-more";
import { Page } from "@/components/ui/page";
import { QueryState } from "@/components/ui/query-state";
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

const NO_MATCH = <EmptyState kind="no_match" title="No matching events" action={everything} />;

const NONE = (
  <EmptyState kind="nothing_yet" title="No trust events yet">
    Runs add tainted values, denials, verdicts, promotions and opened values here.
  </EmptyState>
);

const Listing = ({ filter }: { readonly filter: TrustFilter }) => {
  const log = useInfiniteQuery(
    useTRPC().trust.list.infiniteQueryOptions(
      { filter },
      {
        getNextPageParam: (page) => page.nextCursor ?? undefined,
        refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : REFRESH_MS),
      },
    ),
  );

  return (
    <QueryState query={log} what="the trust log" rows={12}>
      {({ pages }) => {
        const rows = pages.flatMap(({ events }) => events);
        if (rows.length === 0) return filterQuery(filter) === "" ? NONE : NO_MATCH;

        return (
          <div className="border-t bg-surface px-3">
            <TrustTable
              rows={rows}
              names={Object.fromEntries(pages.flatMap(({ names }) => Object.entries(names)))}
              ownLedger={pages[0]?.ownLedger ?? ""}
            />
            <LoadMore query={log} />
          </div>
        );
      }}
    </QueryState>
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

export const TrustPage = ({ role, auditor }: Props) => {
  const router = useRouter();
  const filter = filterOfQuery(useSearchParams());
  const shown = filter ?? NO_FILTER;

  return (
    <Page
      title="Trust log"
      description="Tainted values, denials, verdicts, promotions and opened values from the signed ledgers, with who caused them."
      access={{ to: "the trust log", who: explainDenial(role, "trust.read", auditor) }}
      actions={
        <>
          <ZonesHelp />
          <Exports role={role} auditor={auditor} query={filterQuery(shown)} />
        </>
      }
      isFlush
    >
      <SavedViews filter={shown} />
      <TrustFilters filter={shown} onChange={(next) => router.push(`/audit/trust?${filterQuery({ ...shown, ...next })}`)} />
      {filter === null ? (
        <EmptyState kind="no_match" title="The filter in this link is invalid" action={everything} />
      ) : (
        <Listing filter={filter} />
      )}
    </Page>
  );
};
