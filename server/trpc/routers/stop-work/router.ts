import { router } from "@/server/trpc/init";
import { workGet } from "./get";
import { workResume, workStop } from "./stop";

export const workRouter = router({ get: workGet, stop: workStop, resume: workResume });
