import { router } from "@/server/trpc/init";
import { replyGet } from "./get";
import { replySend } from "./send";

export const replyRouter = router({ get: replyGet, send: replySend });
