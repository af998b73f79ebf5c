import { z } from "zod";
import { DEFAULT_REMINDERS, remindersSchema } from "@/lib/webhooks/reminders";
import { systemClock } from "@/server/clock";
import { findReminderSetting, setReminders } from "@/server/store/approvals/reminders";
import { createProcedure, router } from "@/server/trpc/init";

const remindersGet = createProcedure("settings.own").query(async ({ ctx: { workspaceId } }) => {
  const setting = await findReminderSetting(workspaceId);

  return { percents: setting?.percents ?? [...DEFAULT_REMINDERS], isSet: setting !== null };
});

const remindersSet = createProcedure("webhook.manage")
  .input(z.strictObject({ percents: remindersSchema }))
  .mutation(async ({ ctx: { workspaceId, user }, input: { percents } }) => {
    await setReminders(workspaceId, { percents, changedBy: user.id, nowMs: systemClock.now() });

    return { percents };
  });

export const remindersRouter = router({ get: remindersGet, set: remindersSet });
