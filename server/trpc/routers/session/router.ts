import { router } from "@/server/trpc/init";
import { sessionCurrent } from "./current";

export const sessionRouter = router({ current: sessionCurrent });
