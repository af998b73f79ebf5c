import { router } from "@/server/trpc/init";
import { joinAccept } from "./accept";
import { joinCheck } from "./check";

export const joinRouter = router({ check: joinCheck, accept: joinAccept });
