import { router } from "@/server/trpc/init";
import { homeCustomers } from "./customers";
import { homeFirstDay } from "./first-day";

export const homeRouter = router({ customers: homeCustomers, firstDay: homeFirstDay });
