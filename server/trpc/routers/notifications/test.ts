import { AppError } from "@/lib/errors";
import { CHANNEL_NAMES } from "@/lib/notifications/setting";
import { systemClock } from "@/server/clock";
import { isChannelSetUp } from "@/server/store/health";
import { queueTestNotification } from "@/server/store/notifications/settings";
import { createProcedure } from "@/server/trpc/init";
import { channelInput } from "./channel-input";

/** Sends a test to oneself. */
export const notificationsTest = createProcedure("settings.own")
  .input(channelInput)
  .mutation(async ({ ctx: { workspaceId, user }, input: { channel } }) => {
    if (!(await isChannelSetUp(channel))) {
      throw new AppError("conflict", { message: `${CHANNEL_NAMES[channel]} isn't set up. Ask the operator.` });
    }
    const id = systemClock.id();
    if (!(await queueTestNotification(workspaceId, user.id, channel, id))) {
      throw new AppError("conflict", { message: "A test is already in progress." });
    }

    return { id };
  });
