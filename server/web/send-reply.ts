import { AppError } from "@/lib/errors";
import type { CommandBody } from "@/lib/engine/proposal";
import { getReplyCommandId, type ReplyAction } from "@/lib/notifications/reply-link";
import { findCommandOutcome } from "@/server/store/runs/commands";
import { describeReply, type OpenedReply } from "./open-reply";
import { awaitOutcome, sendOnce } from "./submit-command";

type Said = { readonly token: string; readonly action: ReplyAction | "approve"; readonly text: string };

const bodyOf = async (reply: OpenedReply, { action, text }: Said): Promise<CommandBody> => {
  const { link, approval } = reply;
  if (action === "comment") return { kind: "comment", approval_id: approval.id, text };
  const { transitionDigest: transition_digest, nonce } = await describeReply(reply);

  return {
    kind: "decision",
    approval_id: approval.id,
    transition_digest,
    view_digest: link.view,
    decision: action,
    ...(text === "" ? {} : { reason: text }),
    nonce,
  };
};

/** Rejects, requests changes or comments by a message's link, once; the runner decides whether it may. @throws AppError */
export const sendReply = async (reply: OpenedReply, said: Said): Promise<{ readonly seq: number }> => {
  const { link, approval } = reply;
  const id = getReplyCommandId(link, said.action);
  if (await findCommandOutcome(link.workspace, id)) {
    throw new AppError("conflict", { message: "This link was already used. Open the request to see what came of it." });
  }
  const author = { type: "link", id: link.user, token: said.token } as const;
  await sendOnce(id, { workspaceId: link.workspace, runId: approval.runId, author, body: await bodyOf(reply, said) });
  const outcome = await awaitOutcome(link.workspace, approval.runId, id);
  if (!outcome) throw new AppError("runner_silent");
  if (outcome.refusal) throw new AppError("refused", { refusal: outcome.refusal.code });

  return { seq: outcome.seq };
};
