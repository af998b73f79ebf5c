import { router } from "@/server/trpc/init";
import { notificationsGet } from "./get";
import { notificationsSave } from "./save";
import { notificationsTest } from "./test";

export const notificationsRouter = router({ get: notificationsGet, save: notificationsSave, test: notificationsTest });
