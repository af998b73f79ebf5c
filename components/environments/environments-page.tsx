"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTRPC } from "@/components/trpc/trpc";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ConfirmAction } from "@/components/ui/confirm-action";
import { DialogButton } from "@/components/ui/dialog-button";
import { EmptyState } from "@/components/ui/empty-state";
import { Failure } from "@/components/ui/failure";
import { ListTable, type Column } from "@/components/ui/list-table";
import { Page } from "@/components/ui/page";
import { QueryState } from "@/components/ui/query-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { explainDenial } from "@/lib/roles";
import type { SignedIn } from "@/server/auth/signed-in";
import { EnvironmentForm } from "./environment-form";
import { PromoteButton } from "@/components/promotion/promote-dialog";
import { PromotionRequests } from "./promotion-requests";
import type { ShownEnvironment } from "./types";
import { useSetEnvironments } from "./use-set-environments";
import { VariablesForm } from "./variables-form";

type Variable = { readonly name: string; readonly value: string; readonly type: string };
type Live = ShownEnvironment["live"][number];

const VARIABLE_COLUMNS: readonly Column<Variable>[] = [
  { name: "Variable", className: "font-mono text-xs", cell: ({ name }) => `env.${name}` },
  { name: "Value", className: "break-all whitespace-normal", cell: ({ value }) => value },
  { name: "Type", className: "text-muted", cell: ({ type }) => type },
];

const LIVE_COLUMNS: readonly Column<Live>[] = [
  {
    name: "Graph",
    className: "font-medium whitespace-normal",
    cell: ({ graphId, graphName }) => (
      <Link href={`/graphs/${graphId}`} prefetch={false} className="hover:underline">
        {graphName}
      </Link>
    ),
  },
  { name: "Live version", numeric: true, cell: ({ number }) => `v${number}` },
];

const TYPES: Readonly<Record<string, string>> = { string: "text", number: "number", boolean: "true or false" };

const listVariables = ({ variables }: ShownEnvironment): readonly Variable[] =>
  Object.entries(variables)
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([name, value]) => ({ name, value: String(value), type: TYPES[typeof value] ?? "" }));

const moveUp = <Item,>(items: readonly Item[], at: number): readonly Item[] => {
  const [item] = items.slice(at, at + 1);

  return item === undefined ? items : [...items.slice(0, at - 1), item, ...items.slice(at - 1, at), ...items.slice(at + 1)];
};

type SectionProps = {
  readonly environment: ShownEnvironment;
  readonly all: readonly ShownEnvironment[];
  readonly mayNot: string | null;
  readonly mayNotPromote: string | null;
};

const Actions = ({ environment, all, mayNot }: Omit<SectionProps, "mayNotPromote">) => {
  const { id, title } = environment;
  const set = useSetEnvironments(all);
  const at = all.indexOf(environment);

  return (
    <div className="flex flex-wrap items-center gap-1">
      <DialogButton
        label="Edit variables…"
        name={`Edit variables of ${title}`}
        buttonSize="sm"
        disabledReason={mayNot}
        title={`Variables of ${title}`}
        description="Expressions read them as env.NAME. Everyone in the workspace can see them. Runs keep those that they started with."
        size="xl"
      >
        {(close) => <VariablesForm environment={environment} onDone={close} />}
      </DialogButton>
      <DialogButton
        label="Rename…"
        name={`Rename ${title}`}
        buttonSize="sm"
        variant="ghost"
        disabledReason={mayNot}
        title={`Rename ${title}`}
      >
        {(close) => <EnvironmentForm environment={environment} all={all} onDone={close} />}
      </DialogButton>
      {at === 0 ? null : (
        <Button
          size="sm"
          variant="ghost"
          aria-label={`Move up ${title}`}
          disabledReason={mayNot}
          pending={set.isPending ? "Moving…" : null}
          onClick={() => set.mutate(moveUp(all, at))}
        >
          Move up
        </Button>
      )}
      <ConfirmAction
        label="Remove…"
        name={`Remove ${title}`}
        buttonSize="sm"
        title={`Remove ${title}?`}
        consequence="Its variables are deleted, and no version is live in it any more. Runs under way continue."
        confirm="Remove environment"
        pending="Removing…"
        disabledReason={mayNot ?? (all.length === 1 ? "A workspace has at least one environment" : null)}
        act={() => set.mutateAsync(all.filter((one) => one.id !== id))}
      />
      <Failure error={set.error} />
    </div>
  );
};

const describePlace = (at: number, count: number): string | null => {
  if (count === 1) return "Versions are published here, and runs start here";
  if (at === 0) return "Versions are published here";

  return at === count - 1 ? "Runs start here by default" : null;
};

const EnvironmentSection = (props: SectionProps) => {
  const { environment, all, mayNotPromote } = props;
  const { id, title, changed, live } = environment;
  const next = all[all.indexOf(environment) + 1];
  const isLiveNext = (hash: string): boolean => next?.live.some((version) => version.hash === hash) === true;
  const promotions = next
    ? {
        renderActions: (version: Live) =>
          isLiveNext(version.hash) ? `Live in ${next.title} too` : <PromoteButton version={version} to={next} mayNot={mayNotPromote} />,
      }
    : {};
  const place = describePlace(all.indexOf(environment), all.length);

  return (
    <section aria-labelledby={`environment-${id}`} className="flex flex-col gap-3 border-t p-6 first-of-type:border-t-0 max-sm:px-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="flex min-w-0 flex-wrap items-center gap-2">
          <h2 id={`environment-${id}`} className="text-base font-semibold">
            {title}
          </h2>
          <span className="font-mono text-xs text-faint">{id}</span>
          {place === null ? null : <Badge>{place}</Badge>}
        </div>
        <Actions {...props} />
      </div>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-2">
          <ListTable
            label={`Variables of ${title}`}
            columns={VARIABLE_COLUMNS}
            rows={listVariables(environment)}
            rowKey={({ name }) => name}
            empty={
              <EmptyState kind="nothing_yet" title="No variables yet">
                Expressions could read them as env.NAME, with another value in each environment.
              </EmptyState>
            }
          />
          {changed ? (
            <p className="text-xs text-muted">
              Changed by {changed.byName} <RelativeTime at={changed.atMs} />
            </p>
          ) : null}
        </div>
        <ListTable
          label={`Live versions in ${title}`}
          columns={LIVE_COLUMNS}
          rows={live}
          rowKey={({ graphId }) => graphId}
          {...promotions}
          empty={
            <EmptyState kind="nothing_yet" title="No live versions yet">
              Publish or promote a version of a graph to this environment.
            </EmptyState>
          }
        />
      </div>
    </section>
  );
};

export const EnvironmentsPage = ({ session: { role, auditor } }: { readonly session: SignedIn }) => {
  const trpc = useTRPC();
  const query = useQuery(trpc.environments.list.queryOptions());
  const mayNot = explainDenial(role, "people.manage", auditor);
  const mayNotPromote = explainDenial(role, "graph.publish", auditor);
  const all = query.data?.environments ?? [];

  return (
    <Page
      title="Environments"
      description="Versions are promoted from one environment to the next. All changes are recorded."
      access={{ to: "environments", who: explainDenial(role, "graph.read", auditor) }}
      isFlush
      actions={
        <DialogButton
          label="Add environment…"
          variant="primary"
          disabledReason={mayNot ?? (query.data ? null : "The environments are not loaded yet")}
          title="Add an environment"
        >
          {(close) => <EnvironmentForm environment={null} all={all} onDone={close} />}
        </DialogButton>
      }
    >
      <QueryState query={query} what="environments" rows={4}>
        {({ environments, requests }) => (
          <>
            <PromotionRequests requests={requests} environments={environments} mayNot={mayNotPromote} />
            {environments.map((environment) => (
              <EnvironmentSection
                key={environment.id}
                environment={environment}
                all={environments}
                mayNot={mayNot}
                mayNotPromote={mayNotPromote}
              />
            ))}
          </>
        )}
      </QueryState>
    </Page>
  );
};
