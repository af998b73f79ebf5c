"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { ListTable } from "@/components/ui/list-table";
import { LoadFailed } from "@/components/ui/load-failed";
import { useTRPC } from "@/components/trpc/trpc";
import { EmptyState } from "@/components/ui/empty-state";
import { NoAccess } from "@/components/ui/no-access";
import { PageHeader } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { SkeletonRows } from "@/components/ui/skeleton";
import { TableCell, TableRow } from "@/components/ui/table";
import { explainDenial, type Role } from "@/lib/roles";
import { AddEndpoint } from "./add-endpoint";
import { Standing } from "./standing";
import { EVENTS } from "./labels";

const COLUMNS = ["Endpoint", "Status", "Events", "Added"] as const;

const Endpoints = () => {
  const { data, error, refetch } = useQuery(useTRPC().webhooks.list.queryOptions());
  if (error) return <LoadFailed what="endpoints" error={error} retry={refetch} />;
  if (!data) return <SkeletonRows rows={4} />;
  if (data.length === 0) {
    return (
      <EmptyState kind="nothing_yet" title="No webhook endpoints yet">
        An endpoint is notified when an approval is requested, a run ends or a checkpoint is signed, with a link to the details.
      </EmptyState>
    );
  }

  return (
    <ListTable label="Webhook endpoints" columns={COLUMNS}>
      {data.map((endpoint) => (
        <TableRow key={endpoint.id}>
          <TableCell className="max-w-96">
            <Link href={`/admin/webhooks/${endpoint.id}`} className="block truncate font-mono text-xs hover:underline" title={endpoint.url}>
              {endpoint.url}
            </Link>
            {endpoint.description ? <span className="block truncate text-xs text-muted">{endpoint.description}</span> : null}
          </TableCell>
          <TableCell>
            <Standing endpoint={endpoint} />
          </TableCell>
          <TableCell className="max-w-80 text-xs text-muted">{endpoint.types.map((type) => EVENTS[type].label).join(", ")}</TableCell>
          <TableCell className="whitespace-nowrap text-muted">
            <RelativeTime at={endpoint.createdAt} />
          </TableCell>
        </TableRow>
      ))}
    </ListTable>
  );
};

export const WebhooksPage = ({ role }: { readonly role: Role }) => {
  const reason = explainDenial(role, "webhook.read");
  if (reason) return <NoAccess to="webhooks" who={reason} />;

  return (
    <>
      <PageHeader
        title="Webhooks"
        description="Signed HTTP callbacks. They contain links only; approvals happen here."
        actions={<AddEndpoint role={role} />}
      />
      <div className="p-6">
        <Endpoints />
      </div>
    </>
  );
};
