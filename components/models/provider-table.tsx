"use client";

import { Badge } from "@/components/ui/badge";
import { DataTable, type Column } from "@/components/ui/list-table";
import { Mark } from "@/components/ui/marks/mark";
import { Panel } from "@/components/ui/panel";
import { RelativeTime } from "@/components/ui/relative-time";
import { TableCell, TableRow } from "@/components/ui/table";
import { count } from "@/lib/format";
import type { ModelTest } from "@/lib/model-test";
import type { Role } from "@/lib/roles";
import type { ModelView, ProviderView } from "@/server/trpc/routers/models/settings";
import { ProviderActions } from "./provider-actions";
import { KIND_NAMES, testSentence } from "./labels";

type Props = { readonly providers: readonly ProviderView[]; readonly models: readonly ModelView[]; readonly role: Role };

const Tested = ({ test }: { readonly test: ModelTest | null }) => {
  if (!test) return <span className="text-muted">Never</span>;

  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <Mark kind={test.outcome.ok ? "clean" : "refused"}>{test.outcome.ok ? "Passed" : "Failed"}</Mark>
      <RelativeTime at={test.at} />
      <span className="basis-full text-xs text-muted">{testSentence(test)}</span>
    </span>
  );
};

const Key = ({ provider }: { readonly provider: ProviderView }) => {
  if (provider.hasKey) return <Mark kind="hidden">Stored</Mark>;

  return provider.kind === "openai-compatible" ? <span className="text-muted">None</span> : <Mark kind="refused">Missing</Mark>;
};

const listColumns = (models: readonly ModelView[]): readonly Column<ProviderView>[] => [
  {
    name: "Provider",
    cell: ({ name, kind, id }) => (
      <>
        <span className="font-medium">{name}</span>{" "}
        <span className="block text-xs text-muted">
          {KIND_NAMES[kind]} · <span className="font-mono">{id}</span>
        </span>
      </>
    ),
  },
  {
    name: "Address",
    className: "max-w-80",
    cell: ({ address, allowLocal, usable }) => (
      <>
        <span className="block truncate font-mono text-xs" title={address ?? ""}>
          {address ?? "No address"}
        </span>
        <span className="mt-1 flex flex-wrap gap-2">
          {allowLocal ? <Mark kind="tainted">Local addresses allowed</Mark> : null}
          {usable ? null : <Mark kind="refused">Can&apos;t be called: invalid settings</Mark>}
        </span>
      </>
    ),
  },
  { name: "Key", cell: (provider) => <Key provider={provider} /> },
  { name: "Models", numeric: true, cell: ({ id }) => count(models.filter(({ provider }) => provider === id).length) },
  { name: "Last test", className: "min-w-56", cell: ({ test }) => <Tested test={test} /> },
];

/** Configured in the operator's environment. */
const Installed = ({ provider, models }: { readonly provider: string; readonly models: readonly ModelView[] }) => {
  const isScripted = models.some((model) => model.scripted);

  return (
    <TableRow>
      <TableCell>
        <span className="font-mono">{provider}</span>
      </TableCell>
      <TableCell className="text-xs text-muted">
        {isScripted ? "In the runner: fixed behaviour, no network" : "Configured in the installation's environment"}
      </TableCell>
      <TableCell className="text-muted">{isScripted ? "Not needed" : "Installation"}</TableCell>
      <TableCell numeric>{count(models.length)}</TableCell>
      <TableCell className="text-muted">{isScripted ? "Always available" : "Read-only here"}</TableCell>
      <TableCell>
        <Badge>{isScripted ? "Scripted" : "Installation"}</Badge>
      </TableCell>
    </TableRow>
  );
};

/** Providers of the workspace, then the installation. */
export const ProviderTable = ({ providers, models, role }: Props) => {
  const installed = [...new Set(models.filter(({ own }) => !own).map(({ provider }) => provider))];
  const others = installed.toSorted((one, two) => Number(one.startsWith("scripted")) - Number(two.startsWith("scripted")));

  return (
    <Panel title="Providers">
      <DataTable
        label="Model providers"
        columns={listColumns(models)}
        rows={providers}
        rowKey={({ id }) => id}
        renderActions={(own) => (
          <ProviderActions provider={own} models={models.filter(({ provider }) => provider === own.id)} role={role} />
        )}
      >
        {others.map((provider) => (
          <Installed key={provider} provider={provider} models={models.filter((model) => model.provider === provider && !model.own)} />
        ))}
      </DataTable>
    </Panel>
  );
};
