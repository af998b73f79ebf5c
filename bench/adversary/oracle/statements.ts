/** Independent of `decide`. */
import { buildApprovalView, computeViewDigest } from "@/lib/engine/approvals/approval-view";
import { getPublishedHere } from "@/lib/engine/frame";
import { getClearance, SERVICE_CLEARANCE } from "@/lib/engine/approvals/policy";
import type { Principal } from "@/lib/engine/principal";
import type { BodyOf, ProposalBody } from "@/lib/engine/proposal";
import { findAside, type RunState } from "@/lib/engine/state";
import { getThreadPath } from "@/lib/engine/thread-of";
import type { PublishedGraph } from "@/lib/graph/document";
import { isJsonObject, ownMember, type Json } from "@/lib/json";
import type { Violation } from "@/bench/adversary/world";

type Found = (property: string, what: string) => void;

const checkDecision = (root: PublishedGraph, state: RunState, principal: Principal, body: BodyOf<"decision">, blame: Found): void => {
  const open = Object.hasOwn(state.gates, body.approval_id) ? state.gates[body.approval_id] : undefined;
  if (!open || open.status !== "open" || (principal.type !== "user" && principal.type !== "agent")) {
    blame("I1", "a decision counted where nothing was asked");

    return;
  }
  const { gate } = open;
  const clearance = principal.type === "user" ? getClearance(principal) : SERVICE_CLEARANCE;
  if (body.nonce !== gate.nonce) blame("I1", "a decision with another question's nonce counted");
  if (body.transition_digest !== gate.transition_digest) blame("I1", "a decision about something else counted");
  if (body.view_digest !== computeViewDigest(buildApprovalView(root, state, open, clearance)))
    blame("I1", "a decision about another view than was shown counted");
  if (principal.type === "agent") {
    if (!principal.scopes.includes("approvals:reject")) blame("I1", "an account decided without its scope");
    if (body.decision !== "reject") blame("I1", `an account decided ${body.decision}`);
    if (gate.reason === "review") blame("I1", "an account decided in a case");

    return;
  }
  if (principal.role !== "reviewer") blame("I1", `a ${principal.role} decided`);
  if (open.decisions.some(({ user }) => user === principal.id)) blame("I1", "the same person decided twice");
  if (principal.id === state.start?.initiator) blame("I1", "who started the run decided");
};

const PARALLEL = ["map", "voting", "evolution"];

const checkActions = (published: PublishedGraph, principal: Principal, actions: readonly unknown[], blame: Found): void => {
  const node = published.graph.nodes.find(({ id }) => principal.type === "executor" && id === principal.node);
  const types = actions.map((action) => (isJsonObject(action as Json) ? ownMember(action as Json, "type") : null));
  for (const type of types) {
    if (type === "update_memory" || type === "reflect") continue;
    if (type === "merge_parallel_results" && PARALLEL.includes(node?.kind ?? "")) continue;
    if (type === "goto_node" && node?.kind === "supervisor") continue;
    if (type === "handoff" && node?.kind === "agent" && node.config.swarm) continue;
    if (type === "request_human_input" && node?.kind === "approval") continue;
    blame("F1", `${node?.kind ?? "no node"} took the action ${typeof type === "string" ? type : "that is none"}`);
  }
  if (types.filter((type) => type === "goto_node").length > 1) blame("F1", "two ways were chosen at once");
};

/** Finds bodies invalid in any run. @param state before the proposal */
export const checkSpoken = (root: PublishedGraph, state: RunState, principal: Principal, body: ProposalBody): Violation[] => {
  const found: Violation[] = [];
  const blame: Found = (property, what) => found.push({ property, what });
  if (Object.hasOwn(body, "approved")) blame("R1", "more was said than the form has");
  // A run without a start can still be cancelled.
  if (!state.start && body.kind !== "start" && (state.version === 0 || body.kind !== "cancel"))
    blame("R1", `${body.kind} counted before the start`);
  if (state.start && body.kind === "start") blame("R1", "a run started twice");
  if (principal.type === "user" && body.kind === "cancel" && principal.role !== "builder" && principal.role !== "admin")
    blame("R1", `a ${principal.role} cancelled`);
  if (principal.type === "user" && body.kind === "start" && principal.role !== "builder") blame("R1", `a ${principal.role} started a run`);
  if (body.kind === "start" && body.graph_hash !== state.graphHash) blame("R1", "another graph was started");
  if (body.kind === "decision") checkDecision(root, state, principal, body, blame);
  const published = getPublishedHere(root, state);
  if (body.kind === "node_result") checkActions(published, principal, body.actions, blame);
  if (body.kind === "action") checkActions(published, principal, [body.action], blame);
  if (body.kind === "model_call" && body.step !== findAside(state, getThreadPath(state, body.task)).length)
    blame("R1", "a conversation was rewritten");
  if (body.kind === "effect_intent" && body.availability !== "ok") blame("G1", `a tool was called that was ${body.availability}`);

  return found;
};
