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
import type { ModelTest } from "@/lib/model-test";
import type { Role } from "@/lib/roles";
import type { CircuitsByProvider, ModelView, ProviderView } from "@/server/trpc/routers/models/settings";
import { ProviderActions } from "./provider-actions";
import { KIND_NAMES, testSentence } from "./labels";

type Props = {
  readonly providers: readonly ProviderView[];
  readonly models: readonly ModelView[];
  readonly circuits: CircuitsByProvider;
  readonly role: Role;
};

/** Nothing while the provider answers. */
const Circuit = ({ provider, circuit }: { readonly provider: string; readonly circuit: CircuitsByProvider[string] | undefined }) => {
  const now = useNow();
  if (!circuit) return null;
  const isOpen = circuit.until > now;

  return (
    <span className="mt-1 flex flex-wrap items-center gap-x-2">
      <Mark kind={isOpen ? "refused" : "waiting"}>{describeOutage({ provider, cause: circuit.cause })}</Mark>
      <span suppressHydrationWarning className="text-xs text-muted">
        {isOpen ? `Not called for ${formatWait(circuit.until - now)}` : "The next call tries again"}
      </span>
    </span>
  );
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

const Key = ({ provider }: { readonly provider: ProviderView }) => {
  if (provider.hasKey) return <Mark kind="hidden">Stored</Mark>;

  return provider.kind === "openai-compatible" ? <span className="text-muted">None</span> : <Mark kind="refused">Missing</Mark>;
};

const listColumns = (models: readonly ModelView[], circuits: CircuitsByProvider): readonly Column<ProviderView>[] => [
  {
    name: "Provider",
    cell: ({ name, kind, id }) => (
      <>
        <span className="font-medium">{name}</span>{" "}
        <span className="block text-xs text-muted">
          {KIND_NAMES[kind]} · <span className="font-mono">{id}</span>
        </span>
        <Circuit provider={id} circuit={circuits[id]} />
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
const Installed = ({ provider, models, circuits }: Omit<Props, "providers" | "role"> & { readonly provider: string }) => {
  const isScripted = models.some((model) => model.scripted);

  return (
    <TableRow>
      <TableCell>
        <span className="font-mono">{provider}</span>
        <Circuit provider={provider} circuit={circuits[provider]} />
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

export const ProviderTable = ({ providers, models, circuits, role }: Props) => {
  const installed = [...new Set(models.filter(({ own }) => !own).map(({ provider }) => provider))];
  const others = installed.toSorted((one, two) => Number(one.startsWith("scripted")) - Number(two.startsWith("scripted")));

  return (
    <Panel title="Providers">
      <DataTable
        label="Model providers"
        columns={listColumns(models, circuits)}
        rows={providers}
        rowKey={({ id }) => id}
        renderActions={(own) => (
          <ProviderActions provider={own} models={models.filter(({ provider }) => provider === own.id)} role={role} />
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
