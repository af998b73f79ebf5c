"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { DataTable, type Column } from "@/components/ui/list-table";
import { Mark } from "@/components/ui/marks/mark";
import type { MarkKind } from "@/components/ui/marks/marks";
import { Page } from "@/components/ui/page";
import { Panel } from "@/components/ui/panel";
import { QueryState } from "@/components/ui/query-state";
import type { CheckArea, CheckStatus, DescribedCheck } from "@/lib/checks";
import { explainDenial, type Role } from "@/lib/roles";

const AREAS = {
  keys: "Keys",
  database: "Database",
  pooler: "Connection pooler",
  sandbox: "Sandbox",
  origins: "MCP origins",
  servers: "MCP servers",
  containers: "Containers",
  providers: "Model providers",
  clock: "Clock",
} as const satisfies Record<CheckArea, string>;

const STATUSES = {
  ok: { kind: "clean", label: "OK" },
  skipped: { kind: "hidden", label: "Not checked" },
  warning: { kind: "waiting", label: "Warning" },
  failed: { kind: "refused", label: "Failed" },
} as const satisfies Record<CheckStatus, { readonly kind: MarkKind; readonly label: string }>;

const COLUMNS: readonly Column<DescribedCheck>[] = [
  { name: "Check", className: "w-40", cell: ({ area }) => <span className="font-medium">{AREAS[area]}</span> },
  { name: "Result", className: "w-32", cell: ({ status }) => <Mark kind={STATUSES[status].kind}>{STATUSES[status].label}</Mark> },
  {
    name: "Finding",
    className: "min-w-56 whitespace-normal",
    cell: ({ says, todo, code }) => (
      <>
        <span className="block">{says}</span>
        {todo === null ? null : <span className="block text-muted">{todo}</span>}
        <span className="block font-mono text-xs text-muted">{code}</span>
      </>
    ),
  },
];

const Checks = ({ title, checks }: { readonly title: string; readonly checks: readonly DescribedCheck[] }) => (
  <Panel title={title}>
    <DataTable label={title} columns={COLUMNS} rows={checks} rowKey={({ code, says }) => `${code} ${says}`} />
  </Panel>
);

const nameOf = (index: number, count: number): string => (count === 1 ? "Runner" : `Runner ${index + 1}`);

const Report = () => (
  <QueryState query={useQuery(useTRPC().checks.report.queryOptions())} what="checks" rows={8}>
    {({ web, runners, workspace }) => (
      <>
        {runners.length === 0 ? (
          <Callout kind="waiting" title="No runner is connected">
            Keys and sandbox are checked on the runner&apos;s machine. Start the runner, or run countersign doctor there.
          </Callout>
        ) : null}
        <Checks title="This workspace" checks={workspace} />
        {runners.map((checks, index) => {
          const title = nameOf(index, runners.length);

          return <Checks key={title} title={title} checks={checks} />;
        })}
        <Checks title="Web process" checks={web} />
      </>
    )}
  </QueryState>
);

const CheckAgain = () => {
  const { isFetching, refetch } = useQuery(useTRPC().checks.report.queryOptions());

  return (
    <Button onClick={() => void refetch()} pending={isFetching ? "Checking…" : null}>
      Check again
    </Button>
  );
};

export const ChecksPage = ({ role }: { readonly role: Role }) => (
  <Page
    title="Checks"
    description="The state of this installation, with a fix for each fault. Runners check every minute."
    actions={<CheckAgain />}
    access={{ to: "checks", who: explainDenial(role, "installation.read") }}
  >
    <Report />
  </Page>
);
