import { z } from "zod";
import { AppError } from "@/lib/errors";
import type { CommandBody } from "@/lib/engine/proposal";
import { getReplyCommandId, REPLY_ACTIONS, type ReplyAction } from "@/lib/notifications/reply-link";
import { findCommandOutcome } from "@/server/store/runs/commands";
import { publicProcedure } from "@/server/trpc/init";
import { describeReply, openReply, type OpenedReply } from "@/server/web/open-reply";
import { awaitOutcome, sendOnce } from "@/server/web/submit-command";
import { replyAttempts } from "./attempts";

const bodyOf = async (reply: OpenedReply, action: ReplyAction, text: string): Promise<CommandBody> => {
  const { link, approval } = reply;
  if (action === "comment") return { kind: "comment", approval_id: approval.id, text };
  const { transitionDigest: transition_digest, nonce } = await describeReply(reply);

  return { kind: "decision", approval_id: approval.id, transition_digest, view_digest: link.view, decision: action, reason: text, nonce };
};

/** Rejects, requests changes or comments by a message's link, once; the runner decides whether it may. */
export const replySend = publicProcedure
  .input(
    z.strictObject({ token: z.string().max(300), action: z.enum(REPLY_ACTIONS), text: z.string().trim().min(1, "Required.").max(2_000) }),
  )
  .mutation(async ({ ctx, input: { token, action, text } }) => {
    if (!replyAttempts.take(ctx.address)) throw new AppError("rate_limited");
    const reply = await openReply(token);
    if (!reply) throw new AppError("refused", { refusal: "link_invalid" });
    const { link, approval } = reply;
    const id = getReplyCommandId(link, action);
    if (await findCommandOutcome(link.workspace, id)) {
      throw new AppError("conflict", { message: "This link was already used. Open the request to see what came of it." });
    }
    const author = { type: "link", id: link.user, token } as const;
    const submission = { workspaceId: link.workspace, runId: approval.runId, author, body: await bodyOf(reply, action, text) };
    await sendOnce(id, submission);
    const outcome = await awaitOutcome(link.workspace, approval.runId, id);
    if (!outcome) throw new AppError("runner_silent");
    if (outcome.refusal) throw new AppError("refused", { refusal: outcome.refusal.code });

    return { seq: outcome.seq };
  });
