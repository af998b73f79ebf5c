import type { Metadata } from "next";
import { EndpointPage } from "@/components/webhooks/endpoint-page";
import { isAllowed } from "@/lib/roles";
import { HydrateClient, prefetch, requireSession, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Webhook endpoint" };

type Props = { readonly params: Promise<{ id: string }> };

const EndpointRoute = async ({ params }: Props) => {
  const { role } = await requireSession();
  const { id } = await params;
  if (isAllowed(role, "webhook.read")) await prefetch(trpc.webhooks.get.queryOptions({ endpointId: id }));

  return (
    <HydrateClient>
      <EndpointPage id={id} role={role} />
    </HydrateClient>
  );
};

export default EndpointRoute;
