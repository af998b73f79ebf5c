import { z } from "zod";
import { AppError } from "@/lib/errors";
import { systemClock } from "@/server/clock";
import { setAside } from "@/server/store/approvals/asides";
import { publicProcedure } from "@/server/trpc/init";
import { openReply } from "@/server/web/open-reply";
import { replyAttempts } from "./attempts";

/** Hides a request from the person of a message's link. */
export const replySnooze = publicProcedure
  .input(z.strictObject({ token: z.string().max(300), untilMs: z.number().int().min(0).max(8.64e15).nullable() }))
  .mutation(async ({ ctx, input: { token, untilMs } }) => {
    if (!replyAttempts.take(ctx.address)) throw new AppError("rate_limited");
    const reply = await openReply(token);
    if (!reply) throw new AppError("refused", { refusal: "link_invalid" });
    const { link, approval } = reply;
    const aside = { approvalIds: [approval.id], kind: "snoozed", untilMs, reason: null, nowMs: systemClock.now() } as const;
    const snoozed = await setAside({ workspaceId: link.workspace, userId: link.user }, aside);
    if (snoozed.length === 0)
      throw new AppError("conflict", { message: "This request is closed or expires soon, so it can't be snoozed." });

    return { snoozed };
  });
