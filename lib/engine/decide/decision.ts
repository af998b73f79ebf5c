import { asksPerson, opensCase } from "@/lib/graph/kind-of";
import { createSourceLabel, type Classification, type Label } from "@/lib/graph/label";
import { areMet, listDemandedGroups, whoCounts, type Seat } from "@/lib/people/approvers";
import { refuse, type RefusalCode } from "@/lib/refusal";
import { buildApprovalView, computeViewDigest } from "@/lib/engine/approvals/approval-view";
import { recordPersonVerdict } from "@/lib/engine/decide/case-people";
import { AVAILABILITY } from "@/lib/engine/decide/call-rules";
import { findChangesObjection, sendBack } from "@/lib/engine/decide/changes";
import { findNodeById, type DecideContext } from "@/lib/engine/decide/context";
import { findDeciderObjection, findSeatAt, type Person } from "@/lib/engine/decide/decider";
import { resolveGate } from "@/lib/engine/decide/resolve";
import { checkSignature } from "@/lib/engine/decide/signature";
import { getHeldStep, labelFromAgent } from "@/lib/engine/decide/step";
import { findAnswersObjection, answerWrites } from "@/lib/engine/decide/tool-input";
import { accept, reject, type Verdict, type Write } from "@/lib/engine/decide/verdict";
import { getDemands } from "@/lib/engine/approvals/escalation";
import { isCallOfModel } from "@/lib/engine/approvals/model-choice";
import { noteFor } from "@/lib/engine/approvals/notes";
import { findChatObjection } from "@/lib/engine/approvals/chat-approval";
import { isOfView, writeViewing } from "@/lib/engine/approvals/viewing";
import { getClearance, SERVICE_CLEARANCE } from "@/lib/engine/approvals/policy";
import type { BodyOf } from "@/lib/engine/proposal";
import { ownEntry, type GateState } from "@/lib/engine/state";
import { isStale } from "@/lib/engine/ledger/transition";

const raised = ({ published, state }: DecideContext<"decision">, gateState: GateState): readonly string[] => {
  const { gate } = gateState;
  const node = findNodeById(published, gate.node);
  if (gate.reason === "requested") return getHeldStep(state, gateState)?.updates.map(({ path }) => path) ?? [];

  if (gate.reason === "review" && opensCase(node)) return [node.config.target];

  return gate.reason === "approval_node" && asksPerson(node) ? node.config.promote.map(({ from }) => from) : [];
};

const isOfGate = ({ body }: DecideContext<"decision">, { gate }: GateState): boolean =>
  gate.reason === "review" || (body.decision !== "abstain" && body.findings === undefined);

const noObjection = ({ published, state, body }: DecideContext<"decision">, gateState: GateState): RefusalCode | null => {
  if (body.decision === "request_changes") {
    return body.reason?.trim() ? findChangesObjection(published, state, gateState) : "reason_missing";
  }

  return gateState.gate.reason !== "review" && body.decision === "reject" && !body.reason?.trim() ? "reason_missing" : null;
};

type Decider = {
  readonly id: string;
  readonly clearance: Classification;
  readonly label: Label;
  /** Null: a service account, which has no seat. */
  readonly person: Person | null;
};

const deciderOf = ({ principal, seats }: DecideContext<"decision">["proposal"]): Decider | null => {
  switch (principal.type) {
    case "user":
      return {
        id: principal.id,
        clearance: getClearance(principal),
        label: createSourceLabel("trusted", "internal", `user:${principal.id}`),
        person: { id: principal.id, role: principal.role, ...(seats ? { seats } : {}) },
      };
    case "agent":
      return {
        id: principal.token,
        clearance: SERVICE_CLEARANCE,
        label: labelFromAgent(principal.token, principal.integrity),
        person: null,
      };
    case "executor":
    case "engine":
    case "trigger":
    case "directory":
    case "wait":
      return null;
    default:
      return principal satisfies never;
  }
};

/** Service accounts can only stop a proposal: they never approve, answer or steer the next. */
const findAccountObjection = ({ proposal, body }: DecideContext<"decision">, { gate, status }: GateState): RefusalCode | null => {
  const { principal } = proposal;
  if (principal.type !== "agent" || gate.reason === "review") return "principal_not_allowed";
  if (!principal.scopes.includes("approvals:reject")) return "scope_missing";
  if (body.assertion || body.viewing) return "malformed";
  if (status !== "open") return "approval_closed";
  if (gate.demands) return "not_named";

  return proposal.at >= gate.expires_at ? "approval_expired" : null;
};

const lapsedAt = ({ gate, decisions }: GateState, { lapsed = [] }: BodyOf<"decision">): string[] =>
  gate.reason === "review" ? [] : decisions.flatMap(({ user }) => (lapsed.includes(user) ? [user] : []));

const withoutLapsed = (gateState: GateState, body: BodyOf<"decision">): GateState => ({
  ...gateState,
  decisions: gateState.decisions.filter(({ user }) => !lapsedAt(gateState, body).includes(user)),
});

const objection = (context: DecideContext<"decision">, gateState: GateState, decider: Decider): RefusalCode | null => {
  const { root, state, proposal, body } = context;
  const { gate } = gateState;
  if (!isOfGate(context, gateState)) return "malformed";
  const code =
    (decider.person
      ? findDeciderObjection(state, withoutLapsed(gateState, body), decider.person, proposal.at)
      : findAccountObjection(context, gateState)) ?? noObjection(context, gateState);
  if (code) return code;
  if (gateState.decisions.some((decision) => decision.user === decider.id)) return "duplicate_decision";
  if (body.nonce !== gate.nonce) return "nonce_mismatch";
  if (body.transition_digest !== gate.transition_digest) return "transition_mismatch";
  if (isStale(state, gate.transition)) return "approval_stale";
  if (body.decision === "approve" && body.availability && body.availability !== "ok") return AVAILABILITY[body.availability];
  const view = buildApprovalView(root, state, gateState, decider.clearance);
  if (body.view_digest !== computeViewDigest(view)) return "view_mismatch";
  if (body.viewing && (body.decision !== "approve" || !isOfView(body.viewing, view))) return "view_mismatch";
  // Reviewers may only decide about values they saw.
  const isBlind =
    body.decision === "approve" &&
    view.lines.some(
      (line) =>
        (line.op === "ask" || raised(context, gateState).includes(line.path)) &&
        (line.op === "show" ? line.before : line.after)?.hidden === true,
    );

  if (isBlind) return "role_missing";
  const needsPage = body.via !== undefined && body.decision === "approve";
  if (needsPage && (body.via !== "slack" || findChatObjection(context.published, gate, view) !== null)) return "link_invalid";

  return findAnswersObjection(context, gateState);
};

const recordSeat = (gateState: GateState, seat: Seat | "open" | undefined): { groups?: string[]; for?: string[] } => {
  if (!seat || seat === "open") return {};
  const groups = listDemandedGroups(getDemands(gateState) ?? [], seat.groups);

  return { ...(groups.length === 0 ? {} : { groups }), ...(seat.for.length === 0 ? {} : { for: [...seat.for] }) };
};

export const decideDecision = (context: DecideContext<"decision">): Verdict => {
  const { published, state, proposal, body } = context;
  const gateState = ownEntry(state.gates, body.approval_id);
  if (proposal.principal.type === "agent" && body.decision !== "reject") return reject(refuse("principal_not_allowed"));
  if (!gateState) return reject(refuse("approval_unknown"));
  const node = findNodeById(published, gateState.gate.node);
  const decider = deciderOf(proposal);
  const code = decider ? objection(context, gateState, decider) : "principal_not_allowed";
  if (code || !node || !decider) {
    return reject(refuse(code ?? "approval_unknown", [gateState.gate.node]), gateState.gate.node);
  }
  const signature = checkSignature(context, gateState);
  if (!signature.ok) return reject(refuse(signature.error, [node.id]), node.id);
  const lapsed = lapsedAt(gateState, body);
  const made = {
    type: "decision_made",
    approval_id: body.approval_id,
    user: decider.id,
    decision: body.decision,
    view_digest: body.view_digest,
    ...(decider.person ? recordSeat(gateState, findSeatAt(state, withoutLapsed(gateState, body), decider.person)) : {}),
    ...(signature.value ? { passkey: signature.value } : {}),
    ...(lapsed.length === 0 ? {} : { lapsed }),
    ...(body.via === undefined ? {} : { via: body.via }),
    ...(body.token === undefined ? {} : { token: body.token }),
  } as const;
  const decided: GateState = {
    ...gateState,
    decisions: [...gateState.decisions.filter((earlier) => !lapsed.includes(earlier.user)), made],
  };
  if (gateState.gate.reason === "review" && body.decision !== "request_changes") {
    const spoken = recordPersonVerdict(state, node, gateState, decider.id, { ...body, verdict: body.decision });
    // One rejection suffices; approvals need the quorum.
    if (body.decision !== "reject" && decided.decisions.length < gateState.gate.quorum) {
      return accept({ events: [made, ...spoken.events], writes: spoken.writes, node: node.id });
    }
    const agreed = decided.decisions.every(({ decision }) => decision === "approve");
    const ended = resolveGate(published, spoken.state, proposal, decided, agreed ? "approved" : "rejected");

    return accept({ events: [made, ...spoken.events, ...ended.events], writes: [...spoken.writes, ...ended.writes], node: node.id });
  }
  const by = decider.id;
  const view = body.viewing && buildApprovalView(context.root, state, gateState, decider.clearance);
  const reason: Write[] = [
    ...(body.reason === undefined ? [] : [{ path: "$reason", value: body.reason, label: decider.label }]),
    ...(body.viewing && view ? [writeViewing(view, by, body.viewing)] : []),
  ];
  if (body.decision === "request_changes") {
    const resolved = { type: "gate_resolved", approval_id: gateState.gate.id, outcome: "changes_requested", receipt: null } as const;
    const sent = sendBack(published, state, gateState, by, body.reason ?? "");

    return accept({ events: [made, resolved, ...sent.events], writes: [...reason, ...sent.writes], node: node.id });
  }
  const { quorum } = gateState.gate;
  const demands = getDemands(gateState) ?? [];
  const approvals = decided.decisions.filter((decision) => decision.decision === "approve");
  const isEnough = approvals.length >= quorum && areMet(demands, approvals.map(whoCounts));
  if (body.decision === "approve" && !isEnough) return accept({ events: [made], writes: reason, node: node.id });

  const outcome = body.decision === "approve" ? "approved" : "rejected";
  const resolved = resolveGate(published, state, proposal, decided, outcome);
  // Models hear people's reasons, not those of accounts.
  const isTold = outcome === "rejected" && decider.person !== null && isCallOfModel(published, state, node, gateState);
  const told = isTold ? [noteFor(state.activation, gateState.gate.id, by, body.reason ?? "")] : [];
  const writes = [...reason, ...told, ...answerWrites(context, gateState), ...resolved.writes];

  return accept({ events: [made, ...resolved.events], writes, node: node.id });
};
