import { getKind } from "@/lib/graph/kind-of";
import { refuse } from "@/lib/refusal";
import type { Json } from "@/lib/json";
import type { RunEvent } from "@/lib/engine/event";
import type { BodyOf } from "@/lib/engine/proposal";
import { endStatusOf, findOverspent } from "@/lib/engine/budget";
import { AVAILABILITY } from "@/lib/engine/decide/call-rules";
import { endRun, enter } from "@/lib/engine/decide/complete";
import { voidCase } from "@/lib/engine/decide/case-end";
import { findCaseOfGate } from "@/lib/engine/decide/case-people";
import { findNodeById, type DecideContext } from "@/lib/engine/decide/context";
import { endShredded } from "@/lib/engine/decide/end";
import { asksForMore, askForMore } from "@/lib/engine/decide/raise-limit";
import { beginRun, isDriven, settleAgain } from "@/lib/engine/decide/settle";
import { resolveGate } from "@/lib/engine/decide/resolve";
import { listPendingEscalations } from "@/lib/engine/approvals/escalation";
import { accept, reject, type Verdict } from "@/lib/engine/decide/verdict";
import { joinLabels } from "@/lib/graph/label";
import { findIdleUntil, limitReached } from "@/lib/engine/limits";
import { findAside, heldBy, isResting, ownEntry, type GateState, type RunState } from "@/lib/engine/state";
import { isStale } from "@/lib/engine/ledger/transition";

export const decideBegin = ({ published, state }: DecideContext<"begin">): Verdict => {
  const start = published.graph.start_node;
  if (state.status !== "scheduled") return reject(refuse("run_exists"));
  if (isDriven(published, state)) return accept({ events: [{ type: "status_changed", to: "running", reason: null }, ...beginRun(start)] });

  return accept({ events: [{ type: "status_changed", to: "running", reason: null }, enter(published, state, start, null)], node: start });
};

export const decideRetry = ({ state, proposal }: DecideContext<"retry">): Verdict => {
  if (state.status !== "retrying" || state.retryAt === null) return reject(refuse("version_conflict"));
  if (proposal.at < state.retryAt) return reject(refuse("version_conflict"), state.currentNode);

  return accept({ events: [{ type: "status_changed", to: "running", reason: null }], node: state.currentNode });
};

export const decideRecall = ({ published, state, body }: DecideContext<"recall">): Verdict => {
  const node = findNodeById(published, state.currentNode);
  const recall = node && getKind(node).facts(node.config).recalled;
  const path = `$recall.${body.activation}`;
  const isHere = node !== undefined && body.activation === state.activation && findAside(state, path).length === 0;
  const fits = recall !== undefined && body.facts.length <= recall.limit && body.facts.every(({ topic }) => recall.topics.includes(topic));
  if (!isHere || !fits) return reject(refuse("version_conflict"));
  const facts: Json = body.facts.map(({ topic, text }) => ({ topic, text }));
  const label = joinLabels(
    body.facts.flatMap((fact) => [fact.label, { integrity: "trusted", confidentiality: "public", provenance: [`run:${fact.run}`] }]),
  );

  return accept({ events: [], writes: [{ path, value: facts, label }], node: node.id });
};

export const decideExpire = ({ published, state, proposal, body }: DecideContext<"expire">): Verdict => {
  const gate = ownEntry(state.gates, body.approval_id);
  const isHeld = gate !== undefined && heldBy(state) === gate;
  if (!gate || !(gate.status === "open" || isHeld)) return reject(refuse("approval_closed"));
  if (proposal.at < gate.gate.expires_at) return reject(refuse("approval_not_due"), gate.gate.node);
  const { events, writes } = resolveGate(published, state, proposal, gate, "expired");
  // A held gate is already void.
  const then = isHeld ? events.filter(({ type }) => type !== "gate_resolved") : events;

  return accept({ events: then, writes, node: gate.gate.node });
};

export const decideEscalate = ({ state, proposal, body }: DecideContext<"escalate">): Verdict => {
  const found = ownEntry(state.gates, body.approval_id);
  if (found?.status !== "open" || proposal.at >= found.gate.expires_at) return reject(refuse("approval_closed"));
  const { node } = found.gate;
  const [next] = listPendingEscalations(found);
  if (!next) return reject(refuse("version_conflict"), node);
  const { at, ...escalation } = next;
  if (proposal.at < at) return reject(refuse("approval_not_due"), node);

  return accept({ events: [{ type: "gate_escalated", approval_id: body.approval_id, ...escalation }], node });
};

/** Questions concern a call already made. */
const isShut = ({ gate }: GateState, { availability }: BodyOf<"void">): boolean =>
  availability !== undefined && gate.transition.effect !== null && gate.reason !== "tool_input";

export const decideVoid = ({ published, state, proposal, body }: DecideContext<"void">): Verdict => {
  const gate = ownEntry(state.gates, body.approval_id);
  if (!gate || gate.status !== "open") return reject(refuse("approval_closed"));
  const isHeld = isShut(gate, body);
  if (!isHeld && !isStale(state, gate.gate.transition)) return reject(refuse("version_conflict"), gate.gate.node);

  const resolved = { type: "gate_resolved", approval_id: body.approval_id, outcome: "void", receipt: null } as const;
  const found = findCaseOfGate(state, gate);
  if (found?.status === "open") {
    const ended = voidCase(published, state, proposal, found);

    return accept({ events: [resolved, ...ended.events], writes: ended.writes, node: gate.gate.node });
  }
  const rested = isResting(state) ? settleAgain(state, "declined") : null;
  const then: RunEvent =
    isHeld && body.availability !== undefined
      ? { type: "status_changed", to: "waiting", reason: AVAILABILITY[body.availability] }
      : { type: "status_changed", to: "running", reason: "void" };

  return accept({ events: [resolved, ...(rested ?? [then])], node: gate.gate.node });
};

export const decideAskAgain = ({ state, body }: DecideContext<"ask_again">): Verdict => {
  const held = heldBy(state);

  return held?.gate.id === body.approval_id
    ? accept({ events: [{ type: "status_changed", to: "running", reason: "void" }], node: held.gate.node })
    : reject(refuse("version_conflict"), state.currentNode);
};

const hasOpenGate = (state: RunState): boolean => Object.values(state.gates).some((gate) => gate.status === "open");

export const decideStop = ({ root, published, state, proposal, body }: DecideContext<"stop">): Verdict => {
  if (body.limit === "idle_limit") {
    const until = findIdleUntil(published, state);

    return until !== null && proposal.at >= until && !hasOpenGate(state)
      ? accept({ events: endRun(state, "cancelled", "idle_limit") })
      : reject(refuse("version_conflict"));
  }
  if (body.limit === "value_shredded") return endShredded(state);
  if (limitReached(state, proposal.at) !== body.limit) return reject(refuse("version_conflict"));
  if (body.limit === "subgraph_time_limit" || body.limit === "subgraph_iteration_limit" || body.limit === "subgraph_budget") {
    return accept({ events: [{ type: "frame_ended", outcome: "failed", code: body.limit }], node: state.currentNode });
  }

  const overspent = findOverspent(state);
  const here = findNodeById(published, state.currentNode);
  if (overspent?.code === body.limit && here && asksForMore(root)) return accept(askForMore(published, state, proposal, here, overspent));

  return accept({
    events: endRun(state, body.limit === "time_limit" ? "timeout" : endStatusOf(body.limit), body.limit),
    node: state.currentNode,
  });
};
