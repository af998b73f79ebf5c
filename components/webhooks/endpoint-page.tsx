"use client";

import { useQuery } from "@tanstack/react-query";
import type { Outputs } from "@/components/trpc/outputs";
import { useTRPC } from "@/components/trpc/trpc";
import { Callout } from "@/components/ui/callout";
import { EmptyState } from "@/components/ui/empty-state";
import { Page } from "@/components/ui/page";
import { QueryState } from "@/components/ui/query-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { explainDenial, type Role } from "@/lib/roles";
import type { EndpointView } from "@/server/trpc/routers/webhooks/list";
import { DeliveryTable } from "./delivery-table";
import { EndpointActions } from "./endpoint-actions";
import { Standing } from "./standing";
import { EVENTS, FORMATS, OFF } from "./labels";

/** Pending deliveries change on their own. */
const SOON_MS = 1_500;
const LATER_MS = 10_000;

const PARENT = { name: "Webhooks", href: "/admin/webhooks" } as const;

const MISSING = (
  <EmptyState kind="no_match" title="Endpoint not found">
    It was removed or belongs to another workspace.
  </EmptyState>
);

const Notices = ({ endpoint }: { readonly endpoint: EndpointView }) => (
  <>
    {endpoint.offReason ? (
      <Callout kind={endpoint.offReason === "admin" ? "hidden" : "refused"} title="Nothing is sent to this endpoint">
        {OFF[endpoint.offReason].text} Events in the meantime aren&apos;t sent later.
      </Callout>
    ) : null}
    {endpoint.offReason === null && endpoint.failingSince !== null ? (
      <Callout kind="tainted" title={endpoint.failures === 1 ? "The last attempt failed" : `The last ${endpoint.failures} attempts failed`}>
        Since <RelativeTime at={endpoint.failingSince} />. After two days without a success, it is turned off.
      </Callout>
    ) : null}
    {endpoint.oldSecretUntil !== null ? (
      <Callout kind="waiting" title="Two secrets are active">
        The old one also signs until <RelativeTime at={endpoint.oldSecretUntil} />.
      </Callout>
    ) : null}
  </>
);

const Loaded = ({ data: { endpoint, deliveries }, role }: { readonly data: Outputs["webhooks"]["get"]; readonly role: Role }) => (
  <Page
    parent={PARENT}
    title={
      <span className="flex items-center gap-2">
        <span className="truncate font-mono text-base" title={endpoint.url}>
          {endpoint.url}
        </span>
        <Standing endpoint={endpoint} />
      </span>
    }
    description={[
      endpoint.description,
      FORMATS[endpoint.format].label,
      endpoint.groupName && `Group ${endpoint.groupName}`,
      endpoint.types.map((type) => EVENTS[type].label).join(", "),
    ]
      .filter(Boolean)
      .join(" · ")}
    actions={<EndpointActions endpoint={endpoint} role={role} />}
  >
    <Notices endpoint={endpoint} />
    <DeliveryTable deliveries={deliveries} isOff={endpoint.offReason !== null} role={role} />
  </Page>
);

type Props = { readonly id: string; readonly role: Role };

export const EndpointPage = ({ id, role }: Props) => {
  const who = explainDenial(role, "webhook.read");
  const query = useQuery(
    useTRPC().webhooks.get.queryOptions(
      { endpointId: id },
      {
        enabled: who === null,
        refetchInterval: ({ state }) => (state.data?.deliveries.some(({ status }) => status === "pending") ? SOON_MS : LATER_MS),
      },
    ),
  );

  return (
    <QueryState
      query={query}
      what="the endpoint"
      rows={6}
      missing={MISSING}
      renderFrame={(state) => (
        <Page parent={PARENT} title="Endpoint" access={{ to: "webhooks", who }}>
          {state}
        </Page>
      )}
    >
      {(data) => <Loaded data={data} role={role} />}
    </QueryState>
  );
};
