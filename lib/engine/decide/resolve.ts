import type { PublishedGraph } from "@/lib/graph/document";
import { asksPerson, judgesCase } from "@/lib/graph/kind-of";
import { getExpiryNode } from "@/lib/graph/kinds/approval";
import { CLEAN, joinLabels, type Label } from "@/lib/graph/label";
import { isJsonObject, ownMember, type Json } from "@/lib/json";
import type { Gate, RunEvent } from "@/lib/engine/event";
import { listPromotions } from "@/lib/engine/decide/ask";
import { endCase } from "@/lib/engine/decide/case-people";
import { completeNode, endRun, failAttempt, failHere, follow, continueRun, type Completion } from "@/lib/engine/decide/complete";
import { findNodeById } from "@/lib/engine/decide/context";
import { collectFacts } from "@/lib/engine/decide/facts";
import { repeatChoice } from "@/lib/engine/decide/choice";
import { getHeldRoute, isItemsGate } from "@/lib/engine/decide/route-hold";
import { getWantedCode, raiseLimit } from "@/lib/engine/decide/raise-limit";
import { settleAgain } from "@/lib/engine/decide/settle";
import { isFailureRoute } from "@/lib/engine/decide/route";
import { getHeldStep, labelFromAgent, takeHeld } from "@/lib/engine/decide/step";
import { findJudgedCase, promoteCase } from "@/lib/engine/decide/judge";
import { recordUndone } from "@/lib/engine/decide/undo";
import type { Write } from "@/lib/engine/decide/verdict";
import type { Proposal } from "@/lib/engine/proposal";
import { isCallOfModel } from "@/lib/engine/approvals/model-choice";
import { countRejections, MOST_REJECTIONS } from "@/lib/engine/approvals/rejected-calls";
import type { ReceiptPayload } from "@/lib/engine/approvals/receipt";
import { findAside, isSimulated, getKnownValue, ownEntry, toIntent, type Effect, type GateState, type RunState } from "@/lib/engine/state";

type Outcome = Extract<RunEvent, { type: "gate_resolved" }>["outcome"];
type Resolution = { readonly events: RunEvent[]; readonly writes: Write[] };

const receiptOf = (proposal: Proposal, gateState: GateState): ReceiptPayload => {
  const { gate } = gateState;

  return {
    v: 1,
    workspace: gate.transition.workspace,
    run: gate.transition.run,
    approval_id: gate.id,
    transition_digest: gate.transition_digest,
    graph_hash: gate.transition.graph_hash,
    policy_hash: gate.transition.policy_hash,
    effect: gate.transition.effect,
    reviewers: gateState.decisions
      .filter((decision) => decision.decision === "approve")
      .map((decision) => ({ user: decision.user, view_digest: decision.view_digest, at: proposal.at })),
    ...(gate.rules ? { rules: gate.rules } : {}),
    nonce: gate.nonce,
    issued_at: proposal.at,
    expires_at: gate.expires_at,
  };
};

const resume: RunEvent = { type: "status_changed", to: "running", reason: null };

const approvedBy = ({ gate, decisions }: GateState): Label => ({
  ...CLEAN,
  provenance: [...decisions.map(({ user }) => `approver:${user}`), ...(gate.editors ?? []).map((editor) => `user:${editor}`)].toSorted(),
});

const pendingOf = (state: RunState, gate: Gate): Json => getKnownValue(findAside(state, `$pending.${gate.id}`).at(-1)) ?? null;

const pendingWrites = (state: RunState, gateState: GateState): Write[] => {
  const cell = findAside(state, `$pending.${gateState.gate.id}`).at(-1);
  const value = getKnownValue(cell);
  const updates = isJsonObject(value) ? value["updates"] : undefined;
  if (!cell || !Array.isArray(updates)) return [];
  const label: Label = joinLabels([cell.label, approvedBy(gateState)]);

  return updates.flatMap((update: Json) =>
    isJsonObject(update) && typeof update["path"] === "string" ? [{ path: update["path"], value: update["value"] ?? null, label }] : [],
  );
};

const completed = (completion: Completion, writes: readonly Write[]): Resolution => ({
  events: [resume, ...completion.events],
  writes: [...writes, ...completion.writes],
});

const effectNamed = (state: RunState, gate: Gate, field: "effect_id" | "undoes"): Effect | undefined => {
  const id = ownMember(pendingOf(state, gate), field);

  return typeof id === "string" ? ownEntry(state.effects, id) : undefined;
};

const unclearEffect = (state: RunState, gate: Gate): Effect | undefined => {
  const effect = effectNamed(state, gate, "effect_id");

  return effect?.outcome === null ? effect : undefined;
};

/** @param approvalId null: as allowed before */
const madeAgain = (state: RunState, proposal: Proposal, gate: Gate, approvalId: string | null): RunEvent[] => {
  const effect = unclearEffect(state, gate);
  if (!effect) return [];
  const intended = toIntent(effect);

  return [{ ...intended, approval_id: approvalId ?? effect.approval_id, epoch: proposal.epoch }];
};

const abandoned = (effect: Effect | undefined): RunEvent[] =>
  effect ? [{ type: "effect_settled", effect_id: effect.effect_id, outcome: "abandoned", simulated: false }] : [];

/** A step that is no longer legal leaves the run at rest. */
const allowed = (published: PublishedGraph, state: RunState, gateState: GateState): Resolution => {
  const taken = takeHeld(published, state, gateState, approvedBy(gateState));

  return taken ? { events: taken.events, writes: [...taken.writes] } : { events: settleAgain(state, "declined") ?? [], writes: [] };
};

const approved = (published: PublishedGraph, state: RunState, proposal: Proposal, gateState: GateState): Resolution => {
  const { gate } = gateState;
  const resumed: RunState = { ...state, status: "running" };
  if (getHeldStep(state, gateState)) return allowed(published, state, gateState);
  switch (gate.reason) {
    case "approval_node": {
      const raised = promoted(published, resumed, gateState);
      const completion = completeNode(published, resumed, proposal, gate.node, raised.writes);

      return { events: [resume, ...raised.events, ...completion.events], writes: [...raised.writes, ...completion.writes] };
    }
    case "protected_key": {
      const node = findNodeById(published, gate.node);
      const judged = judgesCase(node) ? findJudgedCase(state, node) : undefined;
      if (judgesCase(node) && !judged) return { events: [resume], writes: [] };
      const writes = pendingWrites(state, gateState);
      const choice = node ? repeatChoice(published, resumed, node, pendingOf(state, gate)) : null;
      const facts = node ? collectFacts(node, { writes, protectedKeys: [] }) : null;
      const completion = completeNode(published, resumed, proposal, gate.node, writes, choice);
      const raised = judgesCase(node) && judged ? [promoteCase(node, judged.case.id, gate.id)] : [];
      const done = completed(completion, [...writes, ...(facts?.ok ? facts.value : [])]);

      return { ...done, events: [...raised, ...done.events] };
    }
    case "tainted_route": {
      if (isItemsGate(pendingOf(state, gate))) return { events: [resume], writes: [] };
      const label = joinLabels(findAside(state, `$pending.${gate.id}`).map((cell) => cell.label));

      return { events: [resume, ...follow(published, resumed, gate.node, getHeldRoute(published, state, gateState), label)], writes: [] };
    }
    case "effect":
    case "tainted_effect":
    case "undo":
      // The executor repeats the call and finds the receipt.
      return { events: [resume], writes: [] };
    case "unclear_effect":
    case "tool_input":
      return { events: [resume, ...madeAgain(state, proposal, gate, gate.id)], writes: [] };
    case "budget":
      return { events: [resume, ...raiseLimit(gate.id, pendingOf(state, gate))], writes: [] };
    case "requested":
    case "review":
      return { events: [resume], writes: [] };
    default:
      return gate.reason satisfies never;
  }
};

/** The effect stays on record, and other undos continue. */
const notUndone = (state: RunState, gate: Gate): Resolution => {
  const undo = effectNamed(state, gate, "undoes")?.effect_id ?? effectNamed(state, gate, "effect_id")?.undoes;
  const isOpen = state.compensation.some(({ effect_id: id, outcome }) => id === undo && outcome === null);

  return {
    events: [...abandoned(unclearEffect(state, gate)), resume, ...(undo && isOpen ? [recordUndone(undo, "declined")] : [])],
    writes: [],
  };
};

const promoted = (published: PublishedGraph, state: RunState, gateState: GateState): Resolution => {
  const node = findNodeById(published, gateState.gate.node);
  const raised = asksPerson(node) ? listPromotions(published, state, node) : null;
  if (!raised?.ok || !asksPerson(node)) return { events: [], writes: [] };
  const approvers = approvedBy(gateState);
  const paths = new Set(raised.value.map((write) => write.path));

  return {
    events: node.config.promote.flatMap(({ from, to }): RunEvent[] =>
      paths.has(to) ? [{ type: "promoted", approval_id: gateState.gate.id, case_id: null, from, to }] : [],
    ),
    writes: raised.value.map((write) => ({ ...write, label: joinLabels([write.label, approvers]) })),
  };
};

const isStillAllowed = (state: RunState, proposal: Proposal, gate: Gate): boolean => {
  const approval = unclearEffect(state, gate)?.approval_id ?? null;

  return approval === null || proposal.at < (ownEntry(state.gates, approval)?.gate.expires_at ?? 0);
};

/** A person's rejection is trusted; a service account's taints its branch. */
const chosenBy = ({ principal }: Proposal): Label | null =>
  principal.type === "agent" ? labelFromAgent(principal.token, principal.integrity) : null;

/** Answers the model, else follows rejection, expiry or error edges, or cancels. */
const declined = (published: PublishedGraph, state: RunState, proposal: Proposal, gateState: GateState, outcome: Outcome): Resolution => {
  const { gate } = gateState;
  if (gate.reason === "undo" || (gate.reason === "unclear_effect" && state.unwinding)) return notUndone(state, gate);
  if (gate.reason === "budget") return { events: endRun(state, "budget_exceeded", getWantedCode(pendingOf(state, gate))), writes: [] };
  if (getHeldStep(state, gateState)) return { events: settleAgain(state, "declined") ?? [], writes: [] };
  // Declines the question while the call's approval holds; else abandons the call.
  if (gate.reason === "tool_input" && outcome === "rejected" && isStillAllowed(state, proposal, gate)) {
    return { events: [resume, ...madeAgain(state, proposal, gate, null)], writes: [] };
  }
  // A rejected failure route is not taken either.
  if (gate.reason === "tainted_route" && isFailureRoute(published, getHeldRoute(published, state, gateState))) {
    return { events: [resume, ...failHere(published, { ...state, status: "running" }, `approval_${outcome}`)], writes: [] };
  }
  const node = findNodeById(published, gate.node);
  if (asksPerson(node)) {
    const to = outcome === "expired" ? getExpiryNode(node.config) : node.config.rejection_node;
    const done: RunEvent = { type: "node_completed", node: node.id, activation: state.activation ?? 0 };
    const events: RunEvent[] =
      to === undefined
        ? endRun(state, "cancelled", outcome)
        : [
            resume,
            ...(gate.reason === "tainted_route" ? [] : [done]),
            ...continueRun(published, { ...state, status: "running" }, node.id, { node: to, edge: null }, chosenBy(proposal)),
          ];

    return { events, writes: [] };
  }
  const isAnswer = outcome === "rejected" && node !== undefined && isCallOfModel(published, state, node, gateState);
  const isLast = isAnswer && countRejections(state) + 1 >= MOST_REJECTIONS;
  // The executor repeats the call, and the rejection is its answer.
  if (isAnswer && !isLast) return { events: [resume], writes: [] };
  const unclear = unclearEffect(state, gate);
  // The run no longer waits for abandoned effects.
  const effects = unclear ? { ...state.effects, [unclear.effect_id]: { ...unclear, outcome: "abandoned" as const } } : state.effects;
  const failed = failAttempt(published, { ...state, effects, status: "running" }, proposal, gate.node, {
    code: isLast ? "rejection_limit" : `approval_${outcome}`,
    retryable: false,
    jitter: 0,
    retryAfterMs: null,
    decided: true,
  });

  return {
    events: [...abandoned(unclear), resume, ...failed.events],
    writes: failed.writes,
  };
};

/** Resolves a gate, the only place where approvals take effect. `decided` includes the last decision. */
export const resolveGate = (
  published: PublishedGraph,
  state: RunState,
  proposal: Proposal,
  decided: GateState,
  outcome: Exclude<Outcome, "void" | "changes_requested" | "superseded">,
): Resolution => {
  // Simulations sign nothing that could pass for a real receipt.
  const payload = outcome === "approved" && !isSimulated(state) ? receiptOf(proposal, decided) : null;
  const resolved: RunEvent = {
    type: "gate_resolved",
    approval_id: decided.gate.id,
    outcome,
    receipt: payload && { payload, kid: "", signature: "" },
  };
  if (decided.gate.reason === "review") {
    const ended = endCase(published, state, proposal, decided, outcome === "expired");

    return { events: [resolved, resume, ...ended.events], writes: ended.writes };
  }
  const then =
    outcome === "approved" ? approved(published, state, proposal, decided) : declined(published, state, proposal, decided, outcome);

  return { events: [resolved, ...then.events], writes: then.writes };
};
