import { z } from "zod";
import { notificationSettingSchema } from "@/lib/notifications/setting";
import { saveNotificationSetting } from "@/server/store/notifications/settings";
import { createProcedure } from "@/server/trpc/init";

/** Changes one's own e-mail setting; null stops e-mail. */
export const notificationsSave = createProcedure("settings.own")
  .input(z.strictObject({ setting: notificationSettingSchema.nullable() }))
  .mutation(async ({ ctx: { workspaceId, user }, input: { setting } }) => {
    await saveNotificationSetting(workspaceId, user.id, "mail", setting);

    return {};
  });
