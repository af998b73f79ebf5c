import { createSourceLabel } from "@/lib/graph/label";
import { refuse, type RefusalCode } from "@/lib/refusal";
import { isAllowed } from "@/lib/roles";
import type { DecideContext } from "@/lib/engine/decide/context";
import { accept, reject, type Verdict } from "@/lib/engine/decide/verdict";
import type { Principal } from "@/lib/engine/principal";
import { labelFromAgent } from "@/lib/engine/decide/step";
import { findAside, ownEntry, type GateState } from "@/lib/engine/state";

const MOST_COMMENTS = 100;

/** @param approvalId undefined: of the run */
export const getCommentPath = (approvalId: string | undefined): string =>
  approvalId === undefined ? "$comment" : `$comment.${approvalId}`;

type Commenter = Extract<Principal, { type: "user" | "agent" }>;

const isCommenter = (principal: Principal): principal is Commenter => principal.type === "user" || principal.type === "agent";

const findGateObjection = ({ gate, status }: GateState, atMs: number): RefusalCode | null => {
  if (status !== "open") return "approval_closed";

  return atMs >= gate.expires_at ? "approval_expired" : null;
};

const objection = ({ state, proposal, body }: DecideContext<"comment">): RefusalCode | null => {
  const { approval_id: id, mentions } = body;
  const gateState = id === undefined ? undefined : ownEntry(state.gates, id);
  const { principal } = proposal;
  if (id !== undefined && !gateState) return "approval_unknown";
  if (principal.type === "user" && !isAllowed(principal.role, "approval.comment")) return "role_missing";
  if (principal.type === "agent" && !principal.scopes.includes("approvals:comment")) return "scope_missing";
  if (principal.type === "agent" && (id === undefined || mentions !== undefined)) return "principal_not_allowed";
  const closed = gateState ? findGateObjection(gateState, proposal.at) : null;
  if (closed) return closed;

  return findAside(state, getCommentPath(id)).length >= MOST_COMMENTS ? "comment_limit" : null;
};

export const decideComment = (context: DecideContext<"comment">): Verdict => {
  const { state, proposal, body } = context;
  const { principal } = proposal;
  const code = objection(context);
  const { approval_id: id, mentions = [], via } = body;
  const node = id === undefined ? null : (ownEntry(state.gates, id)?.gate.node ?? null);
  if (code || !isCommenter(principal)) return reject(refuse(code ?? "principal_not_allowed", node === null ? [] : [node]), node);
  const mentioned = [...new Set(mentions)].filter((person) => principal.type === "user" && person !== principal.id);

  return accept({
    events: [
      {
        type: "commented",
        ...(id === undefined ? {} : { approval_id: id }),
        user: principal.type === "user" ? principal.id : principal.token,
        ...(via === undefined ? {} : { via }),
        ...(mentioned.length === 0 ? {} : { mentions: mentioned }),
      },
    ],
    writes: [
      {
        path: getCommentPath(id),
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
