"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTRPC } from "@/components/trpc/trpc";
import { EmptyState } from "@/components/ui/empty-state";
import { ListTable, timeColumn, type Column } from "@/components/ui/list-table";
import { Page } from "@/components/ui/page";
import { QueryState } from "@/components/ui/query-state";
import { explainDenial, type Role } from "@/lib/roles";
import type { EndpointView } from "@/server/trpc/routers/webhooks/list";
import { AddEndpoint } from "./add-endpoint";
import { EVENTS, FORMATS } from "./labels";
import { Standing } from "./standing";

const COLUMNS: readonly Column<EndpointView>[] = [
  {
    name: "Endpoint",
    className: "max-w-96",
    cell: ({ id, url, description }) => (
      <>
        <Link href={`/admin/webhooks/${id}`} className="block truncate font-mono text-xs hover:underline" title={url}>
          {url}
        </Link>
        {description ? <span className="block truncate text-xs text-muted">{description}</span> : null}
      </>
    ),
  },
  { name: "Status", cell: (endpoint) => <Standing endpoint={endpoint} /> },
  { name: "Sent as", className: "whitespace-nowrap", cell: ({ format }) => FORMATS[format].label },
  { name: "Group", cell: ({ groupName }) => groupName ?? "–" },
  { name: "Events", className: "max-w-80 text-xs text-muted", cell: ({ types }) => types.map((type) => EVENTS[type].label).join(", ") },
  timeColumn("Added", ({ createdAt }) => createdAt),
];

const NONE = (
  <EmptyState kind="nothing_yet" title="No webhook endpoints yet">
    An endpoint is notified when an approval is requested, a run ends or a checkpoint is signed, with a link to the details.
  </EmptyState>
);

const Endpoints = () => (
  <QueryState query={useQuery(useTRPC().webhooks.list.queryOptions())} what="endpoints" rows={4}>
    {(endpoints) => <ListTable label="Webhook endpoints" columns={COLUMNS} rows={endpoints} rowKey={({ id }) => id} empty={NONE} />}
  </QueryState>
);

export const WebhooksPage = ({ role }: { readonly role: Role }) => (
  <Page
    title="Webhooks"
    description="Callbacks to programs, signed and with links only, and messages to Slack and Teams. Approvals happen here."
    access={{ to: "webhooks", who: explainDenial(role, "webhook.read") }}
    actions={<AddEndpoint role={role} />}
  >
    <Endpoints />
  </Page>
);
