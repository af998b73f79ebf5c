import type { Metadata } from "next";
import { WebhooksPage } from "@/components/webhooks/webhooks-page";
import { isAllowed } from "@/lib/roles";
import { HydrateClient, prefetch, requireSession, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Webhooks" };

const WebhooksRoute = async () => {
  const { role } = await requireSession();
  if (isAllowed(role, "webhook.read")) await prefetch(trpc.webhooks.list.queryOptions());

  return (
    <HydrateClient>
      <WebhooksPage role={role} />
    </HydrateClient>
  );
};

export default WebhooksRoute;
