/** Models review the exact call; this is no approval. */
import type { EffectClass, GraphNode, PinnedTool, PublishedGraph } from "@/lib/graph/document";
import type { Label } from "@/lib/graph/label";
import { isJsonObject, ownMember, type Json, type JsonObject } from "@/lib/json";
import type { CaseOutcome, Designated, ReviewCase } from "@/lib/engine/approvals/case";
import { findDesignationFault, getOutcome, listProducers, listSilentModels } from "@/lib/engine/approvals/cases";
import { failAttempt, type Completion } from "@/lib/engine/decide/complete";
import { openGate } from "@/lib/engine/decide/gate";
import type { RunEvent, Transition } from "@/lib/engine/event";
import type { Proposal } from "@/lib/engine/proposal";
import { findAside, getKnownValue, ownEntry, type CaseState, type RunState } from "@/lib/engine/state";
import type { Task } from "@/lib/engine/task";
import { computeArgumentsDigest, computeTransitionDigest, buildTransition } from "@/lib/engine/ledger/transition";

const DAY_MS = 86_400_000;

export type Checking = {
  readonly published: PublishedGraph;
  readonly state: RunState;
  readonly proposal: Proposal;
  readonly node: GraphNode;
};

type Call = {
  readonly task: Task;
  readonly tool: PinnedTool;
  readonly args: JsonObject;
  readonly effectClass: EffectClass;
  readonly transition: Transition;
  readonly label: Label;
};

const passedCase = (state: RunState, digest: string): CaseState | undefined =>
  Object.values(state.cases).find(
    (found) =>
      found.case.subject.type === "effect" &&
      found.case.subject.transition_digest === digest &&
      found.status === "passed" &&
      getOutcome(found) === "passed" &&
      !Object.values(state.effects).some((effect) => effect.case_id === found.case.id),
  );

const checkCase = (
  { state, proposal, node }: Checking,
  digest: string,
  reviewers: readonly Designated[],
  producers: readonly string[],
): ReviewCase => ({
  id: proposal.fresh[0],
  node: node.id,
  activation: state.activation ?? 0,
  subject: { type: "effect", transition_digest: digest },
  reviewers: [...reviewers],
  // // Every check must pass, not just complete.
  quorum: reviewers.reduce((count, reviewer) => count + (reviewer.type === "person" ? reviewer.count : 1), 0),
  producers: [...producers],
  opened_at: proposal.at,
  expires_at: proposal.at + DAY_MS,
});

const failed = ({ published, state, proposal, node }: Checking, code: string, retryable: boolean): Completion =>
  failAttempt(published, { ...state, status: "running" }, proposal, node.id, { code, retryable, jitter: 0, retryAfterMs: null });

const openCheck = (checking: Checking, call: Call, checks: NonNullable<PublishedGraph["graph"]["verification"]>["checks"]): Completion => {
  const { published, state, proposal } = checking;
  const reviewers = checks.map(({ id, agent_id: agent }): Designated => ({ type: "agent", agent, check: id }));
  const producers = listProducers(published, state, [{ label: call.label }], call.task.agent ? [call.task.agent.id] : []);
  const fault = reviewers.length === 0 ? "verification_failed" : findDesignationFault(published, state, reviewers, producers, false);
  if (fault) return failed(checking, fault, false);
  const asked: Json = { server: call.tool.server, tool: call.tool.tool, arguments: call.args, task: call.task.id };

  return {
    events: [{ type: "case_opened", case: checkCase(checking, computeTransitionDigest(call.transition), reviewers, producers) }],
    writes: [{ path: `$pending.${proposal.fresh[0]}`, value: asked, label: call.label }],
  };
};

export type Verified = { readonly type: "free"; readonly caseId: string | null } | ({ readonly type: "held" } & Completion);

/** Returns whether the call may proceed; else opens a case. */
export const checkVerification = (checking: Checking, call: Call): Verified => {
  const policy = checking.published.graph.verification;
  const isChecked = policy?.effects.some((effect) => effect === call.effectClass) === true;
  if (!policy || !isChecked) return { type: "free", caseId: null };
  const found = passedCase(checking.state, computeTransitionDigest(call.transition));

  return found ? { type: "free", caseId: found.case.id } : { type: "held", ...openCheck(checking, call, policy.checks) };
};

const askPerson = (checking: Checking, { case: before }: CaseState): Completion => {
  const { published, state, proposal, node } = checking;
  const cell = findAside(state, `$pending.${before.id}`).at(-1);
  const pending = getKnownValue(cell);
  const [server, tool] = [ownMember(pending, "server"), ownMember(pending, "tool")];
  const pin = published.tools.find((candidate) => candidate.server === server && candidate.tool === tool);
  const args = ownMember(pending, "arguments");
  if (!cell || !pin || !isJsonObject(args) || !isJsonObject(pending) || before.subject.type !== "effect") {
    return failed(checking, "verification_failed", false);
  }
  const opened = checkCase(checking, before.subject.transition_digest, [{ type: "person", role: "reviewer", count: 1 }], before.producers);
  const gate = openGate(proposal, {
    node,
    reason: "review",
    prompt: `${node.title || node.id} asks to call ${pin.tool}, and the call did not pass its verification`,
    transition: buildTransition(
      published,
      state,
      node,
      { kind: "review", value: { case: opened.id }, call: String(state.activation) },
      {
        effect: {
          server: pin.server,
          tool: pin.tool,
          definition_digest: pin.definition_digest,
          arguments_digest: computeArgumentsDigest(args),
        },
      },
    ),
    pending,
    label: cell.label,
    terms: { id: opened.id, role: "reviewer", quorum: 1, expires_at: opened.expires_at },
  });

  return { events: [{ type: "case_opened", case: opened }, ...gate.events], writes: gate.writes };
};

const isByPeople = ({ case: { reviewers } }: CaseState): boolean => reviewers.every((reviewer) => reviewer.type === "person");

/** Closes a verification: replans, asks a person, or fails. */
export const closeCheck = (checking: Checking, found: CaseState, outcome: Exclude<CaseOutcome, "void">): Completion => {
  const closed: RunEvent = { type: "case_closed", case_id: found.case.id, outcome };
  if (outcome === "passed") return { events: [closed], writes: [] };
  const onFailure = checking.published.graph.verification?.on_failure ?? "fail";
  const then =
    onFailure === "human" && !isByPeople(found)
      ? askPerson(checking, found)
      : failed(checking, "verification_failed", onFailure === "replan");

  return { events: [closed, ...then.events], writes: then.writes };
};

export const advanceCheck = (checking: Checking, found: CaseState): Completion => {
  const isWaiting = listSilentModels(checking.state, found).length > 0 || ownEntry(checking.state.gates, found.case.id)?.status === "open";

  return isWaiting ? { events: [], writes: [] } : closeCheck(checking, found, getOutcome(found));
};
