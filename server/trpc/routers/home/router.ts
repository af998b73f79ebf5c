import { router } from "@/server/trpc/init";
import { homeFirstDay } from "./first-day";

export const homeRouter = router({ firstDay: homeFirstDay });
