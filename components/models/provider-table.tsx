"use client";

import { Badge } from "@/components/ui/badge";
import { DataTable, type Column } from "@/components/ui/list-table";
import { Mark } from "@/components/ui/marks/mark";
import { Panel } from "@/components/ui/panel";
import { RelativeTime } from "@/components/ui/relative-time";
import { TableCell, TableRow } from "@/components/ui/table";
import { useNow } from "@/components/ui/use-now";
import { describeOutage, formatWait } from "@/lib/engine/outage-causes";
import { count } from "@/lib/format";
import type { Environment } from "@/lib/environments/environment";
import type { ModelTest } from "@/lib/model-test";
import type { Role } from "@/lib/roles";
import type { Circuit, ModelView, ProviderView } from "@/server/trpc/routers/models/settings";
import { ProviderActions } from "./provider-actions";
import { KIND_NAMES, testSentence } from "./labels";

type Props = {
  readonly providers: readonly ProviderView[];
  readonly models: readonly ModelView[];
  readonly circuits: readonly Circuit[];
  readonly environments: readonly Environment[];
  readonly role: Role;
};

type Titles = ReadonlyMap<string, string>;

/** Nothing while the provider answers. */
const Circuits = ({ circuits, titles }: { readonly circuits: readonly Circuit[]; readonly titles: Titles }) => {
  const now = useNow();

  return circuits.map(({ provider, environment, cause, until }) => {
    const isOpen = until > now;
    const place = environment === "" ? "" : ` in ${titles.get(environment) ?? environment}`;

    return (
      <span key={environment} className="mt-1 flex flex-wrap items-center gap-x-2">
        <Mark kind={isOpen ? "refused" : "waiting"}>{`${describeOutage({ provider, cause })}${place}`}</Mark>
        <span suppressHydrationWarning className="text-xs text-muted">
          {isOpen ? `Not called for ${formatWait(until - now)}` : "The next call tries again"}
        </span>
      </span>
    );
  });
};

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

const SharedKey = ({ provider: { hasKey, kind, keyEnvironments } }: { readonly provider: ProviderView }) => {
  if (hasKey) return <Mark kind="hidden">Stored</Mark>;
  if (kind === "openai-compatible" || keyEnvironments.length > 0) return <span className="text-muted">None</span>;

  return <Mark kind="refused">Missing</Mark>;
};

const Key = ({ provider, titles }: { readonly provider: ProviderView; readonly titles: Titles }) => (
  <>
    <SharedKey provider={provider} />
    {provider.keyEnvironments.length === 0 ? null : (
      <span className="mt-1 block text-xs text-muted">
        Own key in {provider.keyEnvironments.map((id) => titles.get(id) ?? id).join(", ")}
      </span>
    )}
  </>
);

const listColumns = (models: readonly ModelView[], circuits: readonly Circuit[], titles: Titles): readonly Column<ProviderView>[] => [
  {
    name: "Provider",
    cell: ({ name, kind, id, keyEnvironments }) => (
      <>
        <span className="font-medium">{name}</span>{" "}
        <span className="block text-xs text-muted">
          {KIND_NAMES[kind]} · <span className="font-mono">{id}</span>
        </span>
        <Circuits
          circuits={circuits.filter(
            ({ provider, environment }) => provider === id && (environment === "" || keyEnvironments.includes(environment)),
          )}
          titles={titles}
        />
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
  { name: "Key", cell: (provider) => <Key provider={provider} titles={titles} /> },
  { name: "Models", numeric: true, cell: ({ id }) => count(models.filter(({ provider }) => provider === id).length) },
  { name: "Last test", className: "min-w-56", cell: ({ test }) => <Tested test={test} /> },
];

/** Configured in the operator's environment. */
const Installed = ({ provider, models, circuits }: Pick<Props, "models" | "circuits"> & { readonly provider: string }) => {
  const isScripted = models.some((model) => model.scripted);

  return (
    <TableRow>
      <TableCell>
        <span className="font-mono">{provider}</span>
        <Circuits circuits={circuits.filter((circuit) => circuit.provider === provider)} titles={new Map()} />
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

export const ProviderTable = ({ providers, models, circuits, environments, role }: Props) => {
  const titles = new Map(environments.map(({ id, title }) => [id, title]));
  const installed = [...new Set(models.filter(({ own }) => !own).map(({ provider }) => provider))];
  const others = installed.toSorted((one, two) => Number(one.startsWith("scripted")) - Number(two.startsWith("scripted")));

  return (
    <Panel title="Providers">
      <DataTable
        label="Model providers"
        columns={listColumns(models, circuits, titles)}
        rows={providers}
        rowKey={({ id }) => id}
        renderActions={(own) => (
          <ProviderActions
            provider={own}
            models={models.filter(({ provider }) => provider === own.id)}
            environments={environments}
            role={role}
          />
        )}
      >
        {others.map((provider) => (
          <Installed
            key={provider}
            provider={provider}
            models={models.filter((model) => model.provider === provider && !model.own)}
            circuits={circuits}
          />
        ))}
      </DataTable>
    </Panel>
  );
};
