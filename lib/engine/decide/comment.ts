import { createSourceLabel } from "@/lib/graph/label";
import { refuse, type RefusalCode } from "@/lib/refusal";
import { isAllowed } from "@/lib/roles";
import type { DecideContext } from "@/lib/engine/decide/context";
import { accept, reject, type Verdict } from "@/lib/engine/decide/verdict";
import type { Principal } from "@/lib/engine/principal";
import { labelFromAgent } from "@/lib/engine/decide/step";
import { findAside, ownEntry } from "@/lib/engine/state";

const MOST_COMMENTS = 100;

export const getCommentPath = (approvalId: string): string => `$comment.${approvalId}`;

type Commenter = Extract<Principal, { type: "user" | "agent" }>;

const isCommenter = (principal: Principal): principal is Commenter => principal.type === "user" || principal.type === "agent";

const objection = ({ state, proposal, body }: DecideContext<"comment">): RefusalCode | null => {
  const gateState = ownEntry(state.gates, body.approval_id);
  const { principal } = proposal;
  if (!gateState) return "approval_unknown";
  if (!isCommenter(principal)) return "principal_not_allowed";
  if (principal.type === "user" && !isAllowed(principal.role, "approval.comment")) return "role_missing";
  if (principal.type === "agent" && !principal.scopes.includes("approvals:comment")) return "scope_missing";
  if (gateState.status !== "open") return "approval_closed";
  if (proposal.at >= gateState.gate.expires_at) return "approval_expired";

  return findAside(state, getCommentPath(body.approval_id)).length >= MOST_COMMENTS ? "comment_limit" : null;
};

export const decideComment = (context: DecideContext<"comment">): Verdict => {
  const { state, proposal, body } = context;
  const { principal } = proposal;
  const code = objection(context);
  const node = ownEntry(state.gates, body.approval_id)?.gate.node ?? null;
  if (code || !isCommenter(principal)) return reject(refuse(code ?? "principal_not_allowed", node === null ? [] : [node]), node);

  return accept({
    events: [
      {
        type: "commented",
        approval_id: body.approval_id,
        user: principal.type === "user" ? principal.id : principal.token,
        ...(body.via === undefined ? {} : { via: body.via }),
      },
    ],
    writes: [
      {
        path: getCommentPath(body.approval_id),
        value: body.text.toWellFormed(),
        label:
          principal.type === "user"
            ? createSourceLabel("trusted", "internal", `user:${principal.id}`)
            : labelFromAgent(principal.token, principal.integrity),
      },
    ],
    node,
  });
};
