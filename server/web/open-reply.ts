import { getShownTo } from "@/lib/engine/approvals/policy";
import { buildApprovalView } from "@/lib/engine/approvals/approval-view";
import { classifyAuthority, classifyRisk } from "@/lib/engine/approvals/authority-class";
import { raiseRisk } from "@/lib/engine/approvals/signals";
import { getPublishedHere } from "@/lib/engine/frame";
import { AppError } from "@/lib/errors";
import { verifyReplyToken, type ReplyLink } from "@/lib/notifications/reply-link";
import { systemClock } from "@/server/clock";
import { listPublicKeys } from "@/server/security/trust-anchor";
import { getApproval, type ApprovalRow } from "@/server/store/approvals/approvals";
import { isActiveMember } from "@/server/store/people/members";
import { replayWhole } from "./open-run";

export type OpenedReply = { readonly link: ReplyLink; readonly approval: ApprovalRow };

/** Opens a link from a message; null when void or its person has left. The runner verifies it again. */
export const openReply = async (token: string): Promise<OpenedReply | null> => {
  const link = await verifyReplyToken(token, await listPublicKeys(), systemClock.now());
  if (!link) return null;
  const [isMember, approval] = await Promise.all([isActiveMember(link.workspace, link.user), getApproval(link.workspace, link.approval)]);

  return isMember && approval ? { link, approval } : null;
};

/** Describes the request as every member may see it: a link is no sign-in. @throws AppError not_found */
export const describeReply = async ({ link, approval }: OpenedReply) => {
  const { published, state, sealed } = await replayWhole(link.workspace, approval.runId);
  const gateState = state.gates[approval.id];
  if (!gateState) throw new AppError("not_found");
  const { gate, status } = gateState;
  const view = buildApprovalView(published, state, gateState, getShownTo("viewer"), sealed);
  const authority = classifyAuthority(getPublishedHere(published, state), gate);

  return {
    sentence: view.summary ?? view.effect,
    signals: view.signals,
    authority,
    risk: raiseRisk(classifyRisk(authority), view.signals),
    graphName: approval.graphName,
    status,
    transitionDigest: gate.transition_digest,
    nonce: gate.nonce,
  };
};
