"use client";

import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import Link from "next/link";
import { parseAsString, useQueryState } from "nuqs";
import type { Outputs } from "@/components/trpc/outputs";
import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { Badge } from "@/components/ui/badge";
import { ConfirmAction } from "@/components/ui/confirm-action";
import { EmptyState } from "@/components/ui/empty-state";
import { Input } from "@/components/ui/input";
import { ListTable, timeColumn, WIDE, type Column } from "@/components/ui/list-table";
import { LoadMore } from "@/components/ui/load-more";
import { Page } from "@/components/ui/page";
import { QueryState } from "@/components/ui/query-state";
import { LabelMark } from "@/components/values/label-mark";
import { ShownValue } from "@/components/values/value-text";
import { toVisibleText } from "@/components/values/visible-text";
import { HIDDEN, SHREDDED } from "@/components/values/visible-value";
import { explainDenial, type Role } from "@/lib/roles";

type Fact = Outputs["facts"]["list"]["facts"][number];

const Text = ({ fact: { text, isDestroyed, isRetracted } }: { readonly fact: Fact }) => (
  <div className="flex min-w-0 flex-col items-start gap-1">
    {text === null ? (
      <ShownValue shown={isDestroyed ? SHREDDED : HIDDEN} />
    ) : (
      <p className={isRetracted ? "break-words text-muted line-through" : "break-words"}>{toVisibleText(text)}</p>
    )}
    {isRetracted ? <Badge>Retracted</Badge> : null}
  </div>
);

const Label = ({ fact: { label } }: { readonly fact: Fact }) =>
  label === null ? (
    <span className="text-muted">Unreadable</span>
  ) : (
    <span className="flex flex-wrap items-center gap-1">
      <LabelMark integrity={label.integrity} />
      <Badge>{label.confidentiality}</Badge>
    </span>
  );

const COLUMNS: readonly Column<Fact>[] = [
  { name: "Fact", className: "w-1/2 min-w-60 whitespace-normal", cell: (fact) => <Text fact={fact} /> },
  { name: "Topic", className: "font-mono text-xs", cell: ({ topic }) => topic },
  { name: "Label", cell: (fact) => <Label fact={fact} /> },
  {
    name: "Found by",
    className: WIDE,
    headerClassName: WIDE,
    cell: ({ run, seq, graph }) => (
      <Link href={`/runs/${run}?t=${seq}`} className="hover:underline">
        {graph ?? "Deleted graph"}
      </Link>
    ),
  },
  timeColumn("Run started", ({ foundAt }) => foundAt),
];

const Retract = ({ fact, mayNot }: { readonly fact: Fact; readonly mayNot: string | null }) => {
  const trpc = useTRPC();
  const onSettled = useRefresh(trpc.facts.pathFilter());
  const retract = useMutation(trpc.facts.retract.mutationOptions({ onSettled }));
  if (fact.isRetracted) return null;
  const { run, seq, index } = fact;

  return (
    <ConfirmAction
      label="Retract…"
      name={`Retract a fact about ${fact.topic}`}
      buttonSize="sm"
      title="Retract this fact?"
      consequence="Later runs do not recall it. It stays in the ledger, and runs that recalled it keep it. This can't be undone."
      confirm="Retract fact"
      pending="Retracting…"
      done="Fact retracted."
      disabledReason={mayNot}
      act={() => retract.mutateAsync({ run, seq, index })}
    >
      <Text fact={fact} />
    </ConfirmAction>
  );
};

const NONE = (
  <EmptyState kind="nothing_yet" title="No facts yet">
    Reflection nodes find facts. Agents with recall read them in later runs.
  </EmptyState>
);

const Listing = ({ search, mayNot }: { readonly search: string; readonly mayNot: string | null }) => {
  const query = useInfiniteQuery(
    useTRPC().facts.list.infiniteQueryOptions({ search }, { getNextPageParam: (page) => page.nextCursor ?? undefined }),
  );

  return (
    <QueryState query={query} what="facts" rows={8}>
      {({ pages }) => (
        <>
          <ListTable
            label="Facts"
            columns={COLUMNS}
            rows={pages.flatMap(({ facts }) => facts)}
            rowKey={({ run, seq, index }) => `${run}/${seq}/${index}`}
            empty={search === "" ? NONE : <EmptyState kind="no_match" title="No matching facts among those searched" />}
            renderActions={(fact) => <Retract fact={fact} mayNot={mayNot} />}
          />
          <LoadMore query={query} />
        </>
      )}
    </QueryState>
  );
};

export const FactsPage = ({ role }: { readonly role: Role }) => {
  const [search, setSearch] = useQueryState("q", parseAsString.withDefault("").withOptions({ throttleMs: 300 }));

  return (
    <Page
      title="Facts"
      description="Memory that reflections keep for later runs, with the labels recorded for it."
      access={{ to: "facts", who: explainDenial(role, "run.read") }}
    >
      <Input
        type="search"
        aria-label="Search facts"
        placeholder="Search topics and facts that you can read"
        className="max-w-md"
        value={search}
        onChange={(event) => void setSearch(event.target.value === "" ? null : event.target.value)}
      />
      <Listing search={search} mayNot={explainDenial(role, "fact.retract")} />
    </Page>
  );
};
