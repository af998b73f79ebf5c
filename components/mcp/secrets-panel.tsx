"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { ConfirmAction } from "@/components/ui/confirm-action";
import { EmptyState } from "@/components/ui/empty-state";
import { DataTable, timeColumn, type Column } from "@/components/ui/list-table";
import { Panel } from "@/components/ui/panel";
import { QueryState } from "@/components/ui/query-state";
import { explainDenial, isAllowed, type Role } from "@/lib/roles";
import type { SecretView } from "@/server/trpc/routers/secrets/list";
import { SecretForm } from "./secret-form";
import { useSecrets } from "./use-secrets";

const COLUMNS: readonly Column<SecretView>[] = [
  { name: "Name", className: "font-mono text-xs break-all", cell: ({ name }) => name },
  { name: "Version", numeric: true, cell: ({ version }) => version },
  timeColumn("Stored", ({ rotatedAt, createdAt }) => rotatedAt ?? createdAt),
  timeColumn("Last used", ({ usedAt }) => usedAt, "Never"),
];

const Actions = ({ name, role }: { readonly name: string; readonly role: Role }) => {
  const { remove } = useSecrets();

  return (
    <div className="flex justify-end gap-1">
      <SecretForm name={name} trigger="Replace…" disabledReason={explainDenial(role, "mcp.manage")} />
      <ConfirmAction
        label="Remove…"
        name={`Remove ${name}`}
        buttonSize="sm"
        title={`Remove ${name}?`}
        consequence="Servers and providers that use it can't connect until a secret with this name is stored again."
        confirm="Remove"
        pending="Removing…"
        disabledReason={null}
        act={() => remove(name)}
      />
    </div>
  );
};

const Secrets = ({ role }: { readonly role: Role }) => (
  <QueryState query={useQuery(useTRPC().secrets.list.queryOptions())} what="secrets" rows={2}>
    {(secrets) =>
      secrets.length === 0 ? (
        <EmptyState kind="nothing_yet" title="No secrets yet">
          Keys and tokens are stored here, encrypted. Settings refer to them by name; their values are never shown again.
        </EmptyState>
      ) : (
        <DataTable
          label="Secrets"
          columns={COLUMNS}
          rows={secrets}
          rowKey={({ name }) => name}
          renderActions={({ name }) => <Actions name={name} role={role} />}
        />
      )
    }
  </QueryState>
);

export const SecretsPanel = ({ role }: { readonly role: Role }) => (
  <Panel title="Secrets" actions={<SecretForm name={null} trigger="Store a secret…" disabledReason={explainDenial(role, "mcp.manage")} />}>
    {isAllowed(role, "mcp.manage") ? (
      <Secrets role={role} />
    ) : (
      <EmptyState kind="not_permitted" title="You don't have access to secrets.">
        {explainDenial(role, "mcp.manage")}
      </EmptyState>
    )}
  </Panel>
);
