import { buildApprovalView, computeViewDigest } from "@/lib/engine/approvals/approval-view";
import { getClearance } from "@/lib/engine/approvals/policy";
import type { Principal } from "@/lib/engine/principal";
import type { BodyOf, ProposalBody } from "@/lib/engine/proposal";
import { findAside, ownEntry, type GateState, type RunState } from "@/lib/engine/state";
import { getThreadPath } from "@/lib/engine/thread-of";
import { buildEffectTransition, computeTransitionDigest } from "@/lib/engine/ledger/transition";
import { REVIEWER, STARTER, user, uuid } from "@/lib/engine/testing/run";
import type { GraphNode } from "@/lib/graph/document";
import { isJsonObject, toPlainJson } from "@/lib/json";
import { getPublishedHere } from "@/lib/engine/frame";
import { isTerminal } from "@/lib/engine/event";
import { isWellFormed } from "@/lib/engine/ledger/well-formed";
import { askedOff, gatesOff, nodesOffFor, stateOff, stateOffFor, type Guards } from "./guard";

const NEVER = 9_000_000_000_000;
const NOBODY = uuid(404);
const STARTED: NonNullable<RunState["start"]> = {
  type: "run_started",
  graph_id: "none",
  initiator: NOBODY,
  author: NOBODY,
  model: "none",
  max_iterations: 50,
  max_execution_time_ms: 3_600_000,
  max_token_budget: null,
  budget_micro_usd: null,
};
const ENGINE = ["begin", "recover", "expire", "escalate", "void", "stop", "retry", "forfeit", "recall", "ascend", "undo", "unwound"];
const HAPPENED = ["effect_intent", "effect_outcome", "recover"];

const start = (change: object) => stateOff((state) => ({ start: state.start && { ...state.start, ...change } }));

const personOff = (kind: "cancel" | "start", role: "builder") =>
  askedOff(({ proposal }) =>
    proposal.body.kind === kind && proposal.principal.type === "user"
      ? { proposal: { ...proposal, principal: { ...proposal.principal, role } } }
      : {},
  );

const speakerOf = (kind: string, principal: Principal, epoch: number): Principal => {
  if (principal.type !== "executor") return principal;
  if (kind === "decision") return user(REVIEWER);
  if (kind === "cancel") return user(STARTER, "builder");

  return ENGINE.includes(kind) ? { type: "engine", epoch } : principal;
};

const decisionOff = (change: (state: RunState, body: BodyOf<"decision">) => Partial<BodyOf<"decision">>) =>
  askedOff(({ state, proposal }) =>
    proposal.body.kind === "decision" ? { proposal: { ...proposal, body: { ...proposal.body, ...change(state, proposal.body) } } } : {},
  );

const cut = (body: ProposalBody): ProposalBody => {
  if (isWellFormed(body) || !Object.hasOwn(body, "approved")) return body;
  const { approved: _more, receipt: _another, ...rest } = body as ProposalBody & Record<string, unknown>;

  return rest;
};

export const MOMENT_GUARDS: Guards = {
  "nothing before the start": stateOff((state, { body }) =>
    state.start === null && body.kind !== "start" ? { version: 1, start: STARTED } : {},
  ),
  "a run starts once": stateOffFor("start", () => ({ version: 0, status: "pending" })),
  "nothing after the end": stateOff((state) => (isTerminal(state.status) ? { status: "running" } : {})),
  "a body is of its form": askedOff(({ proposal }) => ({ proposal: { ...proposal, body: cut(proposal.body) } })),
  "canceller's role": personOff("cancel", "builder"),
  "starter's role": personOff("start", "builder"),
  "a tool that is there": askedOff(({ proposal }) =>
    proposal.body.kind === "effect_intent" && ["drifted", "unavailable", "not_allowed"].includes(proposal.body.availability)
      ? { proposal: { ...proposal, body: { ...proposal.body, availability: "ok" } } }
      : {},
  ),
  "a conversation is not rewritten": askedOff(({ state, proposal }) =>
    proposal.body.kind === "model_call"
      ? { proposal: { ...proposal, body: { ...proposal.body, step: findAside(state, getThreadPath(state, proposal.body.task)).length } } }
      : {},
  ),
  "a failed attempt is not repeated for ever": nodesOffFor(
    ({ kind }) => kind === "node_failure",
    (node) => ({ ...node, failure_policy: { ...node.failure_policy, attempts: 10 } }),
  ),
  "retries wait": stateOffFor("retry", (state) => ({ retryAt: state.retryAt === null ? null : 0 })),
  "a gate expires in its time": gatesOff("expire", (state) => ({ ...state, gate: { ...state.gate, expires_at: 0 } })),
  "a gate is escalated in its time": gatesOff("escalate", ({ gate, ...state }) => ({
    ...state,
    gate: gate.escalation ? { ...gate, escalation: { ...gate.escalation, at: 0 } } : gate,
  })),
  "a gate is escalated once": gatesOff("escalate", ({ escalations: _again, ...state }) => state),
  "a gate is void only when its ground has changed": stateOffFor("void", () => ({ policyHash: "0".repeat(64) })),
  "only reached limits stop a run": stateOffFor("stop", (state, { body }) =>
    body.kind === "stop" && body.limit === "time_limit" ? { startedAt: 0, waitingSince: null, waitedMs: 0, start: state.start } : {},
  ),
  "an effect under way is not recovered": stateOffFor("recover", (state) => ({
    effects: Object.fromEntries(Object.entries(state.effects).map(([id, effect]) => [id, { ...effect, epoch: 0 }])),
  })),
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
  "the reviewer's role": askedOff(({ proposal }) =>
    proposal.principal.type === "user" && proposal.body.kind === "decision"
      ? { proposal: { ...proposal, principal: { ...proposal.principal, role: "reviewer" } } }
      : {},
  ),
  "no approval by the starter": start({ initiator: NOBODY }),
  "no sole approval by the author": start({ author: NOBODY }),
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
      view_digest: computeViewDigest(buildApprovalView(published, state, open, getClearance(proposal.principal))),
    };

    return { proposal: { ...proposal, body } };
  }),
  "a decision names its transition": decisionOff((state, body) => ({
    transition_digest: ownEntry(state.gates, body.approval_id)?.gate.transition_digest ?? body.transition_digest,
  })),
  "a decision names its nonce": decisionOff((state, body) => ({
    nonce: ownEntry(state.gates, body.approval_id)?.gate.nonce ?? body.nonce,
  })),
  "a decision names its view": askedOff(({ published, state, proposal }) => {
    const known = proposal.body.kind === "decision" ? ownEntry(state.gates, proposal.body.approval_id) : undefined;
    if (proposal.body.kind !== "decision" || !known || proposal.principal.type !== "user") return {};
    const view = computeViewDigest(buildApprovalView(published, state, known, getClearance(proposal.principal)));

    return { proposal: { ...proposal, body: { ...proposal.body, view_digest: view } } };
  }),
  "a receipt is for one transition": askedOff(({ published, state, proposal }) => {
    const { body, principal } = proposal;
    if (body.kind !== "effect_intent" || principal.type !== "executor") return {};
    const here = getPublishedHere(published, state);
    const node = here.graph.nodes.find(({ id }) => id === principal.node);
    const pin = here.tools.find(({ server, tool }) => server === body.server && tool === body.tool);
    const args = toPlainJson(body.arguments, { maxBytes: 262_144, maxDepth: 32 });
    if (!node || !pin || !args.ok || !isJsonObject(args.value)) return {};
    const call = node.kind === "tool" ? "call" : `${body.activation}:${body.call_id}`;
    const digest = computeTransitionDigest(buildEffectTransition(here, state, node, pin, args.value, call, body.task));
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
  "a call without an answer is given up with its run": stateOff((state, { body }) =>
    HAPPENED.includes(body.kind)
      ? {}
      : {
          effects: Object.fromEntries(
            Object.entries(state.effects).map(([id, effect]) => [id, { ...effect, outcome: effect.outcome ?? "abandoned" }]),
          ),
        },
  ),
  "a tool node has called its tool": nodesOffFor(
    ({ kind }) => kind === "node_result",
    (node): GraphNode => (node.kind === "tool" ? { ...node, kind: "router", config: {} } : node),
  ),
};
