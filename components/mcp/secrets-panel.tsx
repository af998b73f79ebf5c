"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { Panel } from "@/components/ui/panel";
import { RelativeTime } from "@/components/ui/relative-time";
import { SkeletonRows } from "@/components/ui/skeleton";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { isAllowed, explainDenial, type Role } from "@/lib/roles";
import type { SecretView } from "@/server/trpc/routers/secrets/list";
import { Failure } from "./failure";
import { SecretForm } from "./secret-form";
import { useSecrets } from "./use-secrets";

const Removal = ({ name }: { readonly name: string }) => {
  const [isOpen, setIsOpen] = useState(false);
  const { remove } = useSecrets();

  return (
    <>
      <Button size="sm" variant="ghost" aria-label={`Remove ${name}`} onClick={() => setIsOpen(true)}>
        Remove…
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setIsOpen}
        title={`Remove ${name}?`}
        description="Servers and providers that use it can't connect until a secret with this name is stored again."
        footer={
          <>
            <Button onClick={() => setIsOpen(false)}>Cancel</Button>
            <Button
              variant="danger"
              pending={remove.isPending ? "Removing…" : null}
              onClick={() => remove.mutate({ name }, { onSuccess: () => setIsOpen(false) })}
            >
              Remove
            </Button>
          </>
        }
      >
        {remove.error ? <Failure failure={toApiError(remove.error)} /> : null}
      </Dialog>
    </>
  );
};

const SecretRow = ({ secret, role }: { readonly secret: SecretView; readonly role: Role }) => (
  <TableRow>
    <TableCell className="font-mono text-xs break-all">{secret.name}</TableCell>
    <TableCell numeric>{secret.version}</TableCell>
    <TableCell>
      <RelativeTime at={secret.rotatedAt ?? secret.createdAt} />
    </TableCell>
    <TableCell>{secret.usedAt === null ? <span className="text-muted">Never</span> : <RelativeTime at={secret.usedAt} />}</TableCell>
    <TableCell>
      <div className="flex justify-end gap-1">
        <SecretForm name={secret.name} trigger="Replace…" disabledReason={explainDenial(role, "mcp.manage")} />
        <Removal name={secret.name} />
      </div>
    </TableCell>
  </TableRow>
);

const Secrets = ({ role }: { readonly role: Role }) => {
  const { data, error, refetch } = useQuery(useTRPC().secrets.list.queryOptions());
  if (error) {
    const { message, requestId } = toApiError(error);

    return (
      <EmptyState
        kind="failed"
        title="Couldn't load secrets"
        requestId={requestId}
        action={<Button onClick={() => void refetch()}>Try again</Button>}
      >
        {message}
      </EmptyState>
    );
  }
  if (!data) return <SkeletonRows rows={2} />;
  if (data.length === 0) {
    return (
      <EmptyState kind="nothing_yet" title="No secrets yet">
        Keys and tokens are stored here, encrypted. Settings refer to them by name; their values are never shown again.
      </EmptyState>
    );
  }

  return (
    <Table aria-label="Secrets">
      <TableHead>
        <TableRow>
          <TableHeader>Name</TableHeader>
          <TableHeader numeric>Version</TableHeader>
          <TableHeader>Stored</TableHeader>
          <TableHeader>Last used</TableHeader>
          <TableHeader>
            <span className="sr-only">Actions</span>
          </TableHeader>
        </TableRow>
      </TableHead>
      <TableBody>
        {data.map((secret) => (
          <SecretRow key={secret.name} secret={secret} role={role} />
        ))}
      </TableBody>
    </Table>
  );
};

/** Secret names and dates, never values. */
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
