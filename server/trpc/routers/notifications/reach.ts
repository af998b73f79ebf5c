import { findMailSender } from "@/server/store/health";
import { listReach } from "@/server/store/notifications/settings";
import { createProcedure } from "@/server/trpc/init";

/** Returns whom e-mail reaches, and the sender. */
export const notificationsReach = createProcedure("people.read").query(async ({ ctx: { workspaceId } }) => {
  const [sender, members] = await Promise.all([findMailSender(), listReach(workspaceId)]);

  return { sender, members };
});
