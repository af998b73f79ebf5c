import { createSourceLabel } from "@/lib/graph/label";
import { refuse, type RefusalCode } from "@/lib/refusal";
import { isAllowed } from "@/lib/roles";
import type { DecideContext } from "@/lib/engine/decide/context";
import { accept, reject, type Verdict } from "@/lib/engine/decide/verdict";
import { findAside, ownEntry } from "@/lib/engine/state";

const MOST_COMMENTS = 100;

/** Returns the path of a gate's comments. */
export const getCommentPath = (approvalId: string): string => `$comment.${approvalId}`;

const objection = ({ state, proposal, body }: DecideContext<"comment">): RefusalCode | null => {
  const gateState = ownEntry(state.gates, body.approval_id);
  const { principal } = proposal;
  if (!gateState) return "approval_unknown";
  if (principal.type !== "user") return "principal_not_allowed";
  if (!isAllowed(principal.role, "approval.comment")) return "role_missing";
  if (gateState.status !== "open") return "approval_closed";
  if (proposal.at >= gateState.gate.expires_at) return "approval_expired";

  return findAside(state, getCommentPath(body.approval_id)).length >= MOST_COMMENTS ? "comment_limit" : null;
};

export const decideComment = (context: DecideContext<"comment">): Verdict => {
  const { state, proposal, body } = context;
  const { principal } = proposal;
  const code = objection(context);
  const node = ownEntry(state.gates, body.approval_id)?.gate.node ?? null;
  if (code || principal.type !== "user") return reject(refuse(code ?? "principal_not_allowed", node === null ? [] : [node]), node);

  return accept({
    events: [
      { type: "commented", approval_id: body.approval_id, user: principal.id, ...(body.via === undefined ? {} : { via: body.via }) },
    ],
    writes: [
      {
        path: getCommentPath(body.approval_id),
        value: body.text.toWellFormed(),
        label: createSourceLabel("trusted", "internal", `user:${principal.id}`),
      },
    ],
    node,
  });
};
