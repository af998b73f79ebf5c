import { z } from "zod";
import { AppError } from "@/lib/errors";
import { REPLY_ACTIONS } from "@/lib/notifications/reply-link";
import { publicProcedure } from "@/server/trpc/init";
import { openReply } from "@/server/web/open-reply";
import { sendReply } from "@/server/web/send-reply";
import { replyAttempts } from "./attempts";

/** Rejects, requests changes or comments by a message's link. */
export const replySend = publicProcedure
  .input(
    z.strictObject({ token: z.string().max(300), action: z.enum(REPLY_ACTIONS), text: z.string().trim().min(1, "Required.").max(2_000) }),
  )
  .mutation(async ({ ctx, input }) => {
    if (!replyAttempts.take(ctx.address)) throw new AppError("rate_limited");
    const reply = await openReply(input.token);
    if (!reply) throw new AppError("refused", { refusal: "link_invalid" });

    return sendReply(reply, input);
  });
