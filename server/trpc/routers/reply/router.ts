import { router } from "@/server/trpc/init";
import { replyGet } from "./get";
import { replySend } from "./send";
import { replySnooze } from "./snooze";

export const replyRouter = router({ get: replyGet, send: replySend, snooze: replySnooze });
