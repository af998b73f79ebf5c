import { router } from "@/server/trpc/init";
import { notificationsLink, notificationsSendCode, notificationsUnlink } from "./account";
import { notificationsGet } from "./get";
import { notificationsReach } from "./reach";
import { notificationsSave } from "./save";
import { notificationsTest } from "./test";

export const notificationsRouter = router({
  get: notificationsGet,
  link: notificationsLink,
  reach: notificationsReach,
  save: notificationsSave,
  sendCode: notificationsSendCode,
  test: notificationsTest,
  unlink: notificationsUnlink,
});
