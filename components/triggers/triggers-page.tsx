"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import type { Outputs } from "@/components/trpc/outputs";
import { useTRPC } from "@/components/trpc/trpc";
import { CopyBlock } from "@/components/ui/copy-block";
import { EmptyState } from "@/components/ui/empty-state";
import { ListTable, type Column } from "@/components/ui/list-table";
import { LoadMore } from "@/components/ui/load-more";
import { Mark } from "@/components/ui/marks/mark";
import { Page } from "@/components/ui/page";
import { QueryState } from "@/components/ui/query-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { explainDenial, type Role } from "@/lib/roles";
import { EventTable } from "./event-table";

const REFRESH_MS = 3_000;

type Data = Outputs["triggers"]["get"];
type Trigger = Data["triggers"][number];

const KINDS = { webhook: "Webhook", schedule: "Schedule", email: "Mailbox", run_end: "End of a run" } as const;

const FAULTS = {
  blocked: "The server's address is not allowed",
  insecure: "The connection can't be encrypted",
  unreachable: "The server can't be reached",
  timeout: "The server doesn't answer",
  refused: "The server refused user or password",
  missing: "The mailbox doesn't exist",
  unresolved: "The sender's DKIM key can't be looked up",
  no_secret: "An admin hasn't stored the password",
} as const satisfies Record<NonNullable<Trigger["fault"]>, string>;

const nothing = () => () => undefined;
const useOrigin = (): string =>
  useSyncExternalStore(
    nothing,
    () => window.location.origin,
    () => "",
  );

const When = ({ trigger: { kind, nextMs, path, fault, readMs } }: { readonly trigger: Trigger }) => {
  const origin = useOrigin();
  if (path !== null) return <CopyBlock label="address" text={`${origin}${path}`} />;
  if (fault !== null) return <Mark kind="refused">{FAULTS[fault]}</Mark>;
  if (kind === "email")
    return readMs === null ? (
      "Not read yet"
    ) : (
      <>
        Read <RelativeTime at={readMs} />
      </>
    );
  if (kind === "run_end") return "When a run of the followed graph ends";

  return nextMs === null ? "No further time" : <RelativeTime at={nextMs} />;
};

const COLUMNS: readonly Column<Trigger>[] = [
  { name: "Trigger", className: "font-mono text-xs whitespace-nowrap", cell: ({ trigger }) => trigger },
  { name: "Kind", className: "whitespace-nowrap", cell: ({ kind }) => KINDS[kind as keyof typeof KINDS] },
  { name: "When", className: "min-w-64", cell: (trigger) => <When trigger={trigger} /> },
];

const Events = ({ id, role }: { readonly id: string; readonly role: Role }) => {
  const query = useInfiniteQuery(
    useTRPC().triggers.events.infiniteQueryOptions(
      { graphId: id },
      { getNextPageParam: (page) => page.nextCursor ?? undefined, refetchInterval: REFRESH_MS },
    ),
  );
  const events = query.data?.pages.flatMap((page) => page.events) ?? [];

  return (
    <section aria-labelledby="events" className="flex flex-col gap-3">
      <h2 id="events" className="text-base font-semibold">
        Events
      </h2>
      <QueryState query={query} what="events" rows={4}>
        {() =>
          events.length === 0 ? (
            <EmptyState kind="nothing_yet" title="No events yet">
              Events that arrive from now on appear here, refused ones too.
            </EmptyState>
          ) : (
            <>
              <EventTable events={events} role={role} />
              <LoadMore query={query} />
            </>
          )
        }
      </QueryState>
    </section>
  );
};

type Props = { readonly id: string; readonly role: Role };

export const TriggersPage = ({ id, role }: Props) => {
  const who = explainDenial(role, "run.read");
  const query = useQuery(useTRPC().triggers.get.queryOptions({ graphId: id }, { enabled: who === null, refetchInterval: REFRESH_MS }));
  const parent = { name: query.data?.name ?? "Graph", href: `/graphs/${id}` };

  return (
    <QueryState
      query={query}
      what="the triggers"
      rows={6}
      missing={<EmptyState kind="no_match" title="Graph not found" />}
      renderFrame={(state) => (
        <Page parent={parent} title="Triggers" access={{ to: "triggers", who }}>
          {state}
        </Page>
      )}
    >
      {({ triggers }) => (
        <Page
          parent={parent}
          title="Triggers"
          description="Events and times that start runs. The publisher of the version that runs counts as the initiator."
        >
          <ListTable
            label="Triggers"
            columns={COLUMNS}
            rows={triggers}
            rowKey={({ trigger }) => trigger}
            empty={
              <EmptyState kind="nothing_yet" title="No triggers">
                Add one under Graph in the editor, and publish the graph.
              </EmptyState>
            }
          />
          <Events id={id} role={role} />
        </Page>
      )}
    </QueryState>
  );
};
