/** Guards that compare a proposal with the moment: who speaks, when, about which visit, on whose yes, how often. */
import { approvalView, viewDigest } from "@/lib/engine/approval-view";
import { clearanceOf } from "@/lib/engine/policy";
import type { Principal } from "@/lib/engine/principal";
import type { BodyOf } from "@/lib/engine/proposal";
import type { GateState } from "@/lib/engine/state";
import { effectTransition, transitionDigest } from "@/lib/engine/transition";
import { REVIEWER, STARTER, user, uuid } from "@/lib/engine/testing/run";
import { isJsonObject, plainJson } from "@/lib/json";
import { RULES } from "@/bench/adversary/world";
import { askedOff, gatesOff, stateOff, type Guards } from "./guard";

const NEVER = 9_000_000_000_000;
const NOBODY = uuid(404);
const ENGINE = ["begin", "recover", "expire", "void", "stop"];

const start = (change: object) => stateOff((state) => ({ start: state.start && { ...state.start, ...change } }));

/** Whoever may say it. */
const speakerOf = (kind: string, principal: Principal, epoch: number): Principal => {
  if (principal.type !== "executor") return principal;
  if (kind === "decision") return user(REVIEWER);
  if (kind === "cancel") return user(STARTER, "builder");

  return ENGINE.includes(kind) ? { type: "engine", epoch } : principal;
};

export const MOMENT_GUARDS: Guards = {
  "who may propose what": askedOff(({ proposal }) => ({
    proposal: { ...proposal, principal: speakerOf(proposal.body.kind, proposal.principal, proposal.epoch) },
  })),
  "this run and no other": askedOff(({ proposal, state }) => ({ proposal: { ...proposal, workspace: state.workspace, run: state.run } })),
  "each proposal once": stateOff(() => ({ proposals: {} })),
  "the lease": askedOff(({ proposal }) =>
    proposal.principal.type === "executor"
      ? { proposal: { ...proposal, principal: { ...proposal.principal, epoch: proposal.epoch } } }
      : {},
  ),
  "the active node": stateOff((_state, { principal, body }) =>
    principal.type === "executor" && "activation" in body ? { currentNode: principal.node, activation: body.activation } : {},
  ),
  "waiting holds": stateOff((state, { principal, body }) =>
    principal.type === "executor" && "activation" in body && state.status === "waiting" ? { status: "running" } : {},
  ),
  "the iteration limit": start({ max_iterations: 100_000 }),
  "the time limit": start({ max_execution_time_ms: NEVER }),
  "the budget": { ...RULES, covers: () => true },
  "the reviewer's role": askedOff(({ proposal }) =>
    proposal.principal.type === "user" && proposal.body.kind === "decision"
      ? { proposal: { ...proposal, principal: { ...proposal.principal, role: "reviewer" } } }
      : {},
  ),
  "nobody approves in their own run": start({ initiator: NOBODY }),
  "nobody approves their own version alone": start({ author: NOBODY }),
  quorum: gatesOff("decision", (state) => ({ ...state, gate: { ...state.gate, quorum: 1 } })),
  "the same person counts once": gatesOff("decision", (state) => ({
    ...state,
    decisions: state.decisions.map((made) => ({ ...made, user: NOBODY })),
  })),
  "an approval expires": askedOff(({ proposal }) =>
    proposal.body.kind === "decision" ? { proposal: { ...proposal, at: 1_800_000_000_000 } } : {},
  ),
  "an approval is asked once": gatesOff("decision", (state) =>
    state.status === "rejected" || state.status === "approved" ? { ...state, status: "open", decisions: [] } : state,
  ),
  "an approval dies with its ground": stateOff((state, { body }) => {
    const gate = body.kind === "decision" ? state.gates[body.approval_id]?.gate : undefined;

    return gate ? { policyHash: gate.transition.policy_hash } : {};
  }),
  "a decision is about one approval": askedOff(({ published, state, proposal }) => {
    const open = Object.values(state.gates).find(({ status }) => status === "open");
    if (proposal.body.kind !== "decision" || !open || proposal.principal.type !== "user") return {};
    const body: BodyOf<"decision"> = {
      ...proposal.body,
      approval_id: open.gate.id,
      transition_digest: open.gate.transition_digest,
      nonce: open.gate.nonce,
      view_digest: viewDigest(approvalView(published, state, open, clearanceOf(proposal.principal))),
    };

    return { proposal: { ...proposal, body } };
  }),
  "a receipt is for one transition": askedOff(({ published, state, proposal }) => {
    const { body, principal } = proposal;
    if (body.kind !== "effect_intent" || principal.type !== "executor") return {};
    const node = published.graph.nodes.find(({ id }) => id === principal.node);
    const pin = published.tools.find(({ server, tool }) => server === body.server && tool === body.tool);
    const args = plainJson(body.arguments, { maxBytes: 262_144, maxDepth: 32 });
    if (!node || !pin || !args.ok || !isJsonObject(args.value)) return {};
    const call = node.kind === "tool" ? "call" : `${body.activation}:${body.call_id}`;
    const digest = transitionDigest(effectTransition(published, state, node, pin, args.value, call));
    const gates = Object.entries(state.gates).map(([id, known]): [string, GateState] => [
      id,
      { ...known, gate: { ...known.gate, transition_digest: digest } },
    ]);

    return { state: { ...state, gates: Object.fromEntries(gates) } };
  }),
  "a receipt works once": gatesOff("effect_intent", (state) => ({ ...state, usedBy: null })),
  "a receipt expires": gatesOff("effect_intent", (state) =>
    state.receipt ? { ...state, receipt: { ...state.receipt, payload: { ...state.receipt.payload, expires_at: NEVER } } } : state,
  ),
  "one effect per call": stateOff((state, { body }) =>
    body.kind === "effect_intent"
      ? { effects: Object.fromEntries(Object.entries(state.effects).map(([id, effect]) => [id, { ...effect, call_id: "" }])) }
      : {},
  ),
  "one outcome per effect": stateOff((state, { body }) =>
    body.kind === "effect_outcome"
      ? { effects: Object.fromEntries(Object.entries(state.effects).map(([id, effect]) => [id, { ...effect, outcome: null }])) }
      : {},
  ),
  "an outcome comes from its node": askedOff(({ state, proposal }) => {
    const { body, principal } = proposal;
    const effect = body.kind === "effect_outcome" ? state.effects[body.effect_id] : undefined;

    return effect && principal.type === "executor" ? { proposal: { ...proposal, principal: { ...principal, node: effect.node } } } : {};
  }),
  "a tool node has called its tool": stateOff((state, { body, fresh }) => {
    const [known] = Object.values(state.effects);
    if (body.kind !== "node_result" || !known) return {};

    return { effects: { ...state.effects, [fresh[0]]: { ...known, effect_id: fresh[0], activation: body.activation, outcome: "ok" } } };
  }),
};
