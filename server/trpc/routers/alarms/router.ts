import { router } from "@/server/trpc/init";
import { alarmsAcknowledge } from "./acknowledge";
import { alarmsOpen } from "./open";

export const alarmsRouter = router({ acknowledge: alarmsAcknowledge, open: alarmsOpen });
