/** What people propose: starting, deciding, cancelling. */
import type { PublishedGraph } from "@/lib/graph/document";
import { matchesSchema } from "@/lib/graph/json-schema";
import { source } from "@/lib/graph/label";
import { isJsonObject } from "@/lib/json";
import { refuse, type RefusalCode } from "@/lib/refusal";
import { may } from "@/lib/roles";
import { limitsOf } from "@/lib/engine/budget";
import { askedBy } from "@/lib/engine/decide/asked-by";
import { endRun } from "@/lib/engine/decide/complete";
import { approvalView, viewDigest } from "@/lib/engine/approval-view";
import { caseOfGate, personSpeaks } from "@/lib/engine/decide/case-people";
import { nodeById, type DecideContext } from "@/lib/engine/decide/context";
import { accept, reject, type Verdict, type Write } from "@/lib/engine/decide/verdict";
import { checkWrites } from "@/lib/engine/decide/writes";
import { heldStep } from "@/lib/engine/decide/step";
import { resolveGate } from "@/lib/engine/decide/resolve";
import { undone } from "@/lib/engine/decide/undo";
import type { RunEvent } from "@/lib/engine/event";
import { clearanceOf } from "@/lib/engine/policy";
import { isWithin, narrowed, type RunLimits } from "@/lib/engine/run-limits";
import { isStale } from "@/lib/engine/transition";
import { ownEntry, type GateState, type RunState } from "@/lib/engine/state";

type Starting = {
  readonly initiator: string;
  readonly author: string;
  readonly model: string;
  readonly limits: RunLimits | undefined;
};
type Started = Extract<RunEvent, { type: "run_started" }>;

/** Who and what a run is started with, under the limits of what it executes, or under narrower ones of its own. */
export const startedEvent = ({ graph }: PublishedGraph, { initiator, author, model, limits = {} }: Starting): Started => {
  const most = limitsOf(graph);

  return {
    type: "run_started",
    graph_id: graph.id,
    initiator,
    author,
    model,
    ...most,
    ...narrowed(most, limits),
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
  };
};

export const decideStart = ({ published, state, proposal, body }: DecideContext<"start">): Verdict => {
  const { graph } = published;
  const { principal } = proposal;
  if (state.version > 0) return reject(refuse("run_exists"));
  const asked = askedBy(principal, "run.start", "run.drive");
  if (!asked.ok) return reject(refuse(asked.error));
  // Outside agents drive; they do not set off what runs by itself.
  if (principal.type === "agent" && graph.external === undefined) return reject(refuse("principal_not_allowed"));
  if (body.graph_hash !== state.graphHash) return reject(refuse("not_found"));
  const inputs = body.inputs;
  if (!isJsonObject(inputs) || !matchesSchema(graph.inputs, inputs, true)) return reject(refuse("inputs_invalid"));
  if (body.limits && !isWithin(body.limits, limitsOf(graph))) return reject(refuse("limits_exceeded"));
  const { initiator, label } = asked.value;
  const updates = Object.entries(inputs).map(([path, value]) => ({ path, value }));
  const checked = checkWrites(
    published,
    state,
    updates.map((update) => update.path),
    updates,
    label,
  );
  if (!checked.ok) return reject(checked.error);
  if (checked.value.protectedKeys.length > 0) return reject(refuse("key_protected", checked.value.protectedKeys));
  const own: Write[] = [
    { path: "$goal", value: body.goal, label },
    { path: "$constraints", value: body.constraints, label },
  ];

  return accept({
    events: [
      startedEvent(published, { initiator, author: body.author, model: body.model, limits: body.limits }),
      { type: "status_changed", to: "scheduled", reason: null },
    ],
    writes: [...own, ...checked.value.writes],
  });
};

/** The paths that this approval raises. */
const raised = ({ published, state }: DecideContext<"decision">, gateState: GateState): readonly string[] => {
  const { gate } = gateState;
  const node = nodeById(published, gate.node);
  if (gate.reason === "requested") return heldStep(state, gateState)?.updates.map(({ path }) => path) ?? [];

  if (gate.reason === "review" && node?.kind === "review") return [node.config.target];

  return gate.reason === "approval_node" && node?.kind === "approval" ? node.config.promote.map(({ from }) => from) : [];
};

/** Why this person may not decide, if so: checked when they decide, with the role the database has at that moment. */
const objection = (context: DecideContext<"decision">, gateState: GateState): RefusalCode | null => {
  const { root, state, proposal, body } = context;
  const { principal } = proposal;
  const { gate } = gateState;
  if (principal.type !== "user") return "principal_not_allowed";
  // To say neither yes nor no is for the reviewers of a case.
  if (gate.reason !== "review" && (body.decision === "abstain" || body.findings !== undefined)) return "malformed";
  if (gateState.status !== "open") return "approval_closed";
  if (proposal.at >= gate.expires_at) return "approval_expired";
  if (!may(principal.role, "approval.decide") || principal.role !== gate.role) return "role_missing";
  // Of a fork, whoever started one of the runs that it goes on from had a part in it too.
  if (principal.id === state.start?.initiator || state.fork?.initiators.includes(principal.id)) return "own_run";
  if (state.drivers.includes(principal.id)) return "own_run";
  if (caseOfGate(state, gateState)?.case.producers.includes(`user:${principal.id}`)) return "own_work";
  if (gate.quorum === 1 && principal.id === state.start?.author) return "own_version";
  if (gateState.decisions.some((decision) => decision.user === principal.id)) return "duplicate_decision";
  if (body.nonce !== gate.nonce) return "nonce_mismatch";
  if (body.transition_digest !== gate.transition_digest) return "transition_mismatch";
  if (isStale(state, gate.transition)) return "approval_stale";
  const view = approvalView(root, state, gateState, clearanceOf(principal));
  if (body.view_digest !== viewDigest(view)) return "view_mismatch";

  // Nobody vouches for what they were not shown.
  return body.decision === "approve" &&
    view.lines.some(
      (line) => raised(context, gateState).includes(line.path) && (line.op === "set" ? line.after : line.before)?.hidden === true,
    )
    ? "role_missing"
    : null;
};

export const decideDecision = (context: DecideContext<"decision">): Verdict => {
  const { published, state, proposal, body } = context;
  const gateState = ownEntry(state.gates, body.approval_id);
  if (!gateState) return reject(refuse("approval_unknown"));
  const node = nodeById(published, gateState.gate.node);
  const code = objection(context, gateState);
  if (code || !node || proposal.principal.type !== "user") {
    return reject(refuse(code ?? "approval_unknown", [gateState.gate.node]), gateState.gate.node);
  }
  const made = {
    type: "decision_made",
    approval_id: body.approval_id,
    user: proposal.principal.id,
    decision: body.decision,
    view_digest: body.view_digest,
  } as const;
  const decided: GateState = { ...gateState, decisions: [...gateState.decisions, made] };
  if (gateState.gate.reason === "review") {
    const spoken = personSpeaks(state, node, gateState, proposal.principal.id, body);
    // Everybody is heard, but a no is enough.
    if (body.decision !== "reject" && decided.decisions.length < gateState.gate.quorum) {
      return accept({ events: [made, ...spoken.events], writes: spoken.writes, node: node.id });
    }
    const agreed = decided.decisions.every(({ decision }) => decision === "approve");
    const ended = resolveGate(published, spoken.state, proposal, decided, agreed ? "approved" : "rejected");

    return accept({ events: [made, ...spoken.events, ...ended.events], writes: [...spoken.writes, ...ended.writes], node: node.id });
  }
  const reason: Write[] =
    body.reason === undefined
      ? []
      : [{ path: "$reason", value: body.reason, label: source("trusted", "internal", `user:${proposal.principal.id}`) }];
  const approvals = decided.decisions.filter((decision) => decision.decision === "approve").length;
  if (body.decision === "approve" && approvals < gateState.gate.quorum) return accept({ events: [made], writes: reason, node: node.id });

  const outcome = body.decision === "approve" ? "approved" : "rejected";
  const resolved = resolveGate(published, state, proposal, decided, outcome);

  return accept({ events: [made, ...resolved.events], writes: [...reason, ...resolved.writes], node: node.id });
};

/** Who cancels a run that is undoing what it did leaves the rest as it is, and the ledger says so. */
const leftInPlace = (state: RunState): RunEvent[] =>
  state.unwinding ? state.compensation.filter(({ outcome }) => outcome === null).map((undo) => undone(undo.effect_id, "declined")) : [];

export const decideCancel = ({ state, proposal, body }: DecideContext<"cancel">): Verdict => {
  const { principal } = proposal;
  const asked = askedBy(principal, "run.cancel", "run.drive");
  if (!asked.ok) return reject(refuse(asked.error), state.currentNode);
  const { reason } = body;

  return accept({
    events: [
      ...openGates(state).map((gate) => ({ type: "gate_resolved", approval_id: gate.gate.id, outcome: "void", receipt: null }) as const),
      ...leftInPlace(state),
      ...endRun(state, "cancelled", "cancelled"),
    ],
    writes: reason === undefined ? [] : [{ path: "$reason", value: reason.toWellFormed(), label: asked.value.label }],
    node: state.currentNode,
  });
};

const openGates = (state: RunState) => Object.values(state.gates).filter((gate) => gate.status === "open");
