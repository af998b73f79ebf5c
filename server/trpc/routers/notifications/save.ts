import { notificationSettingSchema } from "@/lib/notifications/setting";
import { saveNotificationSetting } from "@/server/store/notifications/settings";
import { createProcedure } from "@/server/trpc/init";
import { channelInput } from "./channel-input";

export const notificationsSave = createProcedure("settings.own")
  .input(channelInput.extend({ setting: notificationSettingSchema.nullable() }))
  .mutation(async ({ ctx: { workspaceId, user }, input: { channel, setting } }) => {
    await saveNotificationSetting(workspaceId, user.id, channel, setting);

    return {};
  });
