import { z } from "zod";
import { AppError } from "@/lib/errors";
import { getReplyCommandId, REPLY_ACTIONS } from "@/lib/notifications/reply-link";
import { listReasonTemplates } from "@/server/store/approvals/reason-templates";
import { findCommandOutcome } from "@/server/store/runs/commands";
import { publicProcedure } from "@/server/trpc/init";
import { describeReply, openReply } from "@/server/web/open-reply";
import { replyAttempts } from "./attempts";

/** Returns what a link from a message is about, and changes nothing; null when it is void. */
export const replyGet = publicProcedure.input(z.strictObject({ token: z.string().max(300) })).query(async ({ ctx, input }) => {
  if (!replyAttempts.take(ctx.address)) throw new AppError("rate_limited");
  const reply = await openReply(input.token);
  if (!reply) return { reply: null };
  const { link, approval } = reply;
  const [{ transitionDigest: _digest, nonce: _nonce, ...described }, reasons, ...outcomes] = await Promise.all([
    describeReply(reply),
    listReasonTemplates(link.workspace),
    ...REPLY_ACTIONS.map((action) => findCommandOutcome(link.workspace, getReplyCommandId(link, action))),
  ]);
  const used = REPLY_ACTIONS.filter((_action, index) => outcomes[index] !== null);

  return { reply: { ...described, approvalId: approval.id, expiresAt: approval.expiresAt, used, reasons } };
});
