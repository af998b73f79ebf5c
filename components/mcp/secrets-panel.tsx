"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { ConfirmAction } from "@/components/ui/confirm-action";
import { EmptyState } from "@/components/ui/empty-state";
import { DataTable, timeColumn, type Column } from "@/components/ui/list-table";
import { Panel } from "@/components/ui/panel";
import { QueryState } from "@/components/ui/query-state";
import type { Environment } from "@/lib/environments/environment";
import { explainDenial, isAllowed, type Role } from "@/lib/roles";
import type { SecretView } from "@/server/trpc/routers/secrets/list";
import { nameSecret, SecretForm, SHARED_LABEL } from "./secret-form";
import { useSecrets } from "./use-secrets";

const useEnvironments = (): readonly Environment[] => useQuery(useTRPC().environments.list.queryOptions()).data?.environments ?? [];

const listColumns = (environments: readonly Environment[]): readonly Column<SecretView>[] => [
  { name: "Name", className: "font-mono text-xs break-all", cell: ({ name }) => name },
  ...(environments.length < 2
    ? []
    : [
        {
          name: "Environment",
          cell: ({ environment }: SecretView) =>
            environment === null ? SHARED_LABEL : (environments.find(({ id }) => id === environment)?.title ?? environment),
        },
      ]),
  { name: "Version", numeric: true, cell: ({ version }) => version },
  timeColumn("Stored", ({ rotatedAt, createdAt }) => rotatedAt ?? createdAt),
  timeColumn("Last used", ({ usedAt }) => usedAt, "Never"),
];

type ActionsProps = { readonly secret: SecretView; readonly environments: readonly Environment[]; readonly role: Role };

const Actions = ({ secret, environments, role }: ActionsProps) => {
  const { remove } = useSecrets();
  const title = nameSecret(secret, environments);

  return (
    <div className="flex justify-end gap-1">
      <SecretForm secret={secret} environments={environments} trigger="Replace…" disabledReason={explainDenial(role, "mcp.manage")} />
      <ConfirmAction
        label="Remove…"
        name={`Remove ${title}`}
        buttonSize="sm"
        title={`Remove ${title}?`}
        consequence="Servers and providers that use it can't connect until a secret with this name is stored again."
        confirm="Remove"
        pending="Removing…"
        disabledReason={null}
        act={() => remove(secret.name, secret.environment)}
      />
    </div>
  );
};

type Props = { readonly role: Role };

const Secrets = ({ environments, role }: Props & { readonly environments: readonly Environment[] }) => (
  <QueryState query={useQuery(useTRPC().secrets.list.queryOptions())} what="secrets" rows={2}>
    {(secrets) =>
      secrets.length === 0 ? (
        <EmptyState kind="nothing_yet" title="No secrets yet">
          Keys and tokens are stored here, encrypted. Settings refer to them by name; their values are never shown again.
        </EmptyState>
      ) : (
        <DataTable
          label="Secrets"
          columns={listColumns(environments)}
          rows={secrets}
          rowKey={({ name, environment }) => `${name} ${environment ?? ""}`}
          renderActions={(secret) => <Actions secret={secret} environments={environments} role={role} />}
        />
      )
    }
  </QueryState>
);

export const SecretsPanel = ({ role }: Props) => {
  const environments = useEnvironments();
  const mayNot = explainDenial(role, "mcp.manage");

  return (
    <Panel
      title="Secrets"
      actions={<SecretForm secret={null} environments={environments} trigger="Store a secret…" disabledReason={mayNot} />}
    >
      {isAllowed(role, "mcp.manage") ? (
        <Secrets environments={environments} role={role} />
      ) : (
        <EmptyState kind="not_permitted" title="You don't have access to secrets.">
          {mayNot}
        </EmptyState>
      )}
    </Panel>
  );
};
