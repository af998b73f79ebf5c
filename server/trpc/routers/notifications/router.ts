import { router } from "@/server/trpc/init";
import { notificationsGet } from "./get";
import { notificationsReach } from "./reach";
import { notificationsSave } from "./save";
import { notificationsTest } from "./test";

export const notificationsRouter = router({
  get: notificationsGet,
  reach: notificationsReach,
  save: notificationsSave,
  test: notificationsTest,
});
