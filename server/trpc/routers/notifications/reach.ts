import { CHANNELS } from "@/lib/notifications/setting";
import { findMailSender, isChannelSetUp } from "@/server/store/health";
import { listReach } from "@/server/store/notifications/settings";
import { createProcedure } from "@/server/trpc/init";

export const notificationsReach = createProcedure("people.read").query(async ({ ctx: { workspaceId } }) => {
  const [sender, members, ...isSetUp] = await Promise.all([findMailSender(), listReach(workspaceId), ...CHANNELS.map(isChannelSetUp)]);

  return { sender, members, channels: CHANNELS.filter((_channel, index) => isSetUp[index] === true) };
});
