import { getNotificationSetting, listNotifications } from "@/server/store/notifications/settings";
import { findMailSender } from "@/server/store/health";
import { createProcedure } from "@/server/trpc/init";

/** Returns one's own e-mail setting and latest notifications. */
export const notificationsGet = createProcedure("settings.own").query(async ({ ctx: { workspaceId, user } }) => {
  const [setting, latest, sender] = await Promise.all([
    getNotificationSetting(workspaceId, user.id, "mail"),
    listNotifications(workspaceId, user.id),
    findMailSender(),
  ]);

  return { setting, latest, sender, address: user.email };
});
