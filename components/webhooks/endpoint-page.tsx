"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { LoadFailed } from "@/components/ui/load-failed";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Callout } from "@/components/ui/callout";
import { EmptyState } from "@/components/ui/empty-state";
import { NoAccess } from "@/components/ui/no-access";
import { PageHeader } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { SkeletonRows } from "@/components/ui/skeleton";
import { explainDenial, type Role } from "@/lib/roles";
import type { EndpointView } from "@/server/trpc/routers/webhooks/list";
import { DeliveryTable } from "./delivery-table";
import { EndpointActions } from "./endpoint-actions";
import { Standing } from "./standing";
import { EVENTS, OFF } from "./labels";

/** Pending deliveries change on their own. */
const SOON_MS = 1_500;
const LATER_MS = 10_000;

const Above = () => (
  <Link href="/admin/webhooks" className="hover:underline">
    Webhooks
  </Link>
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

type Props = { readonly id: string; readonly role: Role };

export const EndpointPage = ({ id, role }: Props) => {
  const reason = explainDenial(role, "webhook.read");
  const { data, error, refetch } = useQuery(
    useTRPC().webhooks.get.queryOptions(
      { endpointId: id },
      {
        enabled: reason === null,
        refetchInterval: ({ state }) => (state.data?.deliveries.some(({ status }) => status === "pending") ? SOON_MS : LATER_MS),
      },
    ),
  );
  if (reason) return <NoAccess to="webhooks" who={reason} />;
  if (data) {
    const { endpoint, deliveries } = data;

    return (
      <>
        <PageHeader
          above={<Above />}
          title={
            <span className="flex items-center gap-2">
              <span className="truncate font-mono text-base" title={endpoint.url}>
                {endpoint.url}
              </span>
              <Standing endpoint={endpoint} />
            </span>
          }
          description={[endpoint.description, endpoint.types.map((type) => EVENTS[type].label).join(", ")].filter(Boolean).join(" · ")}
          actions={<EndpointActions endpoint={endpoint} role={role} />}
        />
        <div className="flex flex-col gap-4 p-6">
          <Notices endpoint={endpoint} />
          <DeliveryTable deliveries={deliveries} isOff={endpoint.offReason !== null} role={role} />
        </div>
      </>
    );
  }
  const code = error ? toApiError(error).code : null;
  const isMissing = code === "not_found" || code === "bad_request";

  return (
    <>
      <PageHeader above={<Above />} title="Endpoint" />
      {isMissing ? (
        <EmptyState kind="no_match" title="Endpoint not found">
          It was removed or belongs to another workspace.
        </EmptyState>
      ) : null}
      {error && !isMissing ? <LoadFailed what="the endpoint" error={error} retry={refetch} /> : null}
      {error ? null : <SkeletonRows rows={6} />}
    </>
  );
};
