import { AppError } from "@/lib/errors";
import { systemClock } from "@/server/clock";
import { findMailSender } from "@/server/store/health";
import { queueTestNotification } from "@/server/store/notifications/settings";
import { createProcedure } from "@/server/trpc/init";

/** Mails a test to oneself. */
export const notificationsTest = createProcedure("settings.own").mutation(async ({ ctx: { workspaceId, user } }) => {
  if ((await findMailSender()) === null) throw new AppError("conflict", { message: "E-mail isn't set up. Ask the operator." });
  const id = systemClock.id();
  if (!(await queueTestNotification(workspaceId, user.id, "mail", id))) {
    throw new AppError("conflict", { message: "A test is already in progress." });
  }

  return { id };
});
