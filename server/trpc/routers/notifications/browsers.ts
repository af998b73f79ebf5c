import { z } from "zod";
import { browserIdSchema, browserSchema } from "@/lib/notifications/browser";
import { findPushKey } from "@/server/store/health";
import { listBrowsers } from "@/server/store/notifications/browsers";
import { createProcedure } from "@/server/trpc/init";
import { submitToWorkspace } from "@/server/web/submit-command";

/** `key` null: not set up. */
export const notificationsBrowsers = createProcedure("settings.own").query(async ({ ctx: { workspaceId, user } }) => {
  const [browsers, key] = await Promise.all([listBrowsers({ workspaceId, userId: user.id }), findPushKey()]);

  return { browsers, key };
});

export const notificationsAddBrowser = createProcedure("settings.own", { fresh: true })
  .input(browserSchema)
  .mutation(({ ctx, input }) => submitToWorkspace(ctx, { kind: "browser_add", ...input }));

export const notificationsRemoveBrowser = createProcedure("settings.own")
  .input(z.strictObject({ id: browserIdSchema }))
  .mutation(({ ctx, input: { id } }) => submitToWorkspace(ctx, { kind: "browser_remove", id }));
