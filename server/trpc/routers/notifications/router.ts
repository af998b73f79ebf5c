import { router } from "@/server/trpc/init";
import { notificationsLink, notificationsSendCode, notificationsUnlink } from "./account";
import { notificationsAddBrowser, notificationsBrowsers, notificationsRemoveBrowser } from "./browsers";
import { notificationsGet } from "./get";
import { notificationsReach } from "./reach";
import { notificationsSave } from "./save";
import { notificationsTest } from "./test";

export const notificationsRouter = router({
  addBrowser: notificationsAddBrowser,
  browsers: notificationsBrowsers,
  get: notificationsGet,
  link: notificationsLink,
  reach: notificationsReach,
  removeBrowser: notificationsRemoveBrowser,
  save: notificationsSave,
  sendCode: notificationsSendCode,
  test: notificationsTest,
  unlink: notificationsUnlink,
});
