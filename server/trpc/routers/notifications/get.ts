import { getAccount } from "@/server/store/notifications/accounts";
import { getNotificationSetting, listNotifications } from "@/server/store/notifications/settings";
import { findMailSender, isChannelSetUp } from "@/server/store/health";
import { createProcedure } from "@/server/trpc/init";
import { channelInput } from "./channel-input";

export const notificationsGet = createProcedure("settings.own")
  .input(channelInput)
  .query(async ({ ctx: { workspaceId, user }, input: { channel } }) => {
    const [setting, latest, isSetUp, sender, linked] = await Promise.all([
      getNotificationSetting(workspaceId, user.id, channel),
      listNotifications(workspaceId, user.id, channel),
      isChannelSetUp(channel),
      findMailSender(),
      getAccount({ workspaceId, userId: user.id, channel }),
    ]);
    // A workflow's address lets anyone post to its chat.
    const account = linked && {
      name: channel === "teams" ? (URL.parse(linked.account)?.hostname ?? "") : linked.account,
      isConfirmed: linked.confirmedAt !== null,
    };

    return { setting, latest, isSetUp, sender, address: user.email, account };
  });
