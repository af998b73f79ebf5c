import { router } from "@/server/trpc/init";
import { triggersEvents } from "./events";
import { triggersGet } from "./get";

export const triggersRouter = router({ get: triggersGet, events: triggersEvents });
