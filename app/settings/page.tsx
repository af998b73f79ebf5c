import type { Metadata } from "next";
import { SettingsPage } from "@/components/settings/settings-page";
import { CHANNELS } from "@/lib/notifications/setting";
import { HydrateClient, prefetch, requireSession, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Settings" };

const SettingsRoute = async () => {
  const session = await requireSession();
  await prefetch(
    trpc.passkeys.list.queryOptions(),
    trpc.connect.personal.list.queryOptions(),
    trpc.notifications.browsers.queryOptions(),
    ...CHANNELS.map((channel) => trpc.notifications.get.queryOptions({ channel })),
    trpc.policy.get.queryOptions(),
    trpc.session.proof.queryOptions(),
    trpc.session.workspaces.queryOptions(),
    trpc.session.sessions.queryOptions(),
    trpc.session.identity.queryOptions(),
  );

  return (
    <HydrateClient>
      <SettingsPage session={session} />
    </HydrateClient>
  );
};

export default SettingsRoute;
