/** decide(graph, state, proposal) -> events | refusal. Pure: time and randomness are inputs. */
import type { PublishedGraph } from "@/lib/graph/document";
import { refuse, type RefusalCode } from "@/lib/refusal";
import { findNodeById, type DecideContext } from "@/lib/engine/decide/context";
import { askAgain } from "@/lib/engine/decide/ask-again";
import { decideCloseCase, decideOpenCase, decideVerdict } from "@/lib/engine/decide/case";
import { writeHistory } from "@/lib/engine/approvals/history";
import { closeAbandoned } from "@/lib/engine/decide/case-over";
import { decideIntent, decideOutcome, decideRecover } from "@/lib/engine/decide/effect";
import {
  decideAskAgain,
  decideBegin,
  decideEscalate,
  decideExpire,
  decideRecall,
  decideRetry,
  decideStop,
  decideVoid,
} from "@/lib/engine/decide/engine";
import { decideFork } from "@/lib/engine/decide/fork";
import { holdItems } from "@/lib/engine/decide/route-hold";
import { decideForfeit, decideModelCall, decideModelFailure, decideModelIntent } from "@/lib/engine/decide/model";
import { decideOutage, decideRetryNow } from "@/lib/engine/decide/outage";
import { decideAction, decideFailure, decideNodeResult, decideTaskFailure } from "@/lib/engine/decide/node";
import { decideOpening } from "@/lib/engine/decide/opening";
import { decideRequest, decideStep } from "@/lib/engine/decide/outside";
import { decideComment } from "@/lib/engine/decide/comment";
import { decideDecision } from "@/lib/engine/decide/decision";
import { decideEdit } from "@/lib/engine/decide/edit";
import { decideCompaction } from "@/lib/engine/decide/compaction";
import { decideCancel, decideStart } from "@/lib/engine/decide/people";
import { withDemands } from "@/lib/engine/decide/signature";
import { decideAscend } from "@/lib/engine/decide/subgraph";
import { decideInput } from "@/lib/engine/decide/tool-input";
import { endOverspent } from "@/lib/engine/decide/raise-limit";
import { mayWaitToo, settleTurn } from "@/lib/engine/decide/turn";
import { decideAnswerWait, decideEndWait, decideTakeWaitToken } from "@/lib/engine/decide/wait";
import { decideUndo, decideUnwound } from "@/lib/engine/decide/undo";
import { accept, reject, type Verdict } from "@/lib/engine/decide/verdict";
import { isTerminal } from "@/lib/engine/event";
import { getPublishedHere } from "@/lib/engine/frame";
import { limitReached } from "@/lib/engine/limits";
import type { Proposal, ProposalBody } from "@/lib/engine/proposal";
import { isWellFormed, getKind } from "@/lib/engine/ledger/well-formed";
import type { RunState } from "@/lib/engine/state";

type Proposer = Proposal["principal"]["type"];

const PROPOSERS: Readonly<Record<ProposalBody["kind"], readonly Proposer[]>> = {
  start: ["user", "agent", "trigger"],
  decision: ["user", "agent"],
  comment: ["user", "agent"],
  edit: ["user"],
  cancel: ["user", "agent", "trigger"],
  retry_now: ["user"],
  take_wait_token: ["user", "agent"],
  answer_wait: ["user", "agent", "wait"],
  end_wait: ["engine"],
  fork: ["user", "agent"],
  step: ["agent"],
  request_approval: ["agent"],
  read: ["agent"],
  open_cell: ["user"],
  open_case: ["engine"],
  close_case: ["engine"],
  verdict: ["executor"],
  begin: ["engine"],
  recover: ["engine"],
  expire: ["engine"],
  escalate: ["engine"],
  void: ["engine"],
  ask_again: ["engine"],
  stop: ["engine"],
  retry: ["engine"],
  forfeit: ["engine"],
  recall: ["engine"],
  ascend: ["engine"],
  undo: ["engine"],
  unwound: ["engine"],
  node_result: ["executor"],
  node_failure: ["executor"],
  outage: ["executor"],
  action: ["executor"],
  task_failure: ["executor"],
  model_intent: ["executor"],
  model_failure: ["executor"],
  model_call: ["executor"],
  compaction: ["executor"],
  effect_intent: ["executor"],
  effect_outcome: ["executor"],
  effect_input: ["executor"],
};

const ALWAYS: readonly ProposalBody["kind"][] = ["fork", "open_cell", "read"];

const isAllowedAfterEnd = (body: ProposalBody): boolean =>
  ALWAYS.includes(body.kind) || (body.kind === "comment" && body.approval_id === undefined);

const objection = (state: RunState, proposal: Proposal): RefusalCode | null => {
  const { principal, body } = proposal;
  if (proposal.workspace !== state.workspace || proposal.run !== state.run) return "not_found";
  if (state.start === null && body.kind !== "start" && body.kind !== "fork") return "not_found";
  // Repeated deliveries get the first record.
  if (Object.hasOwn(state.proposals, proposal.id)) return "duplicate_decision";
  if (!PROPOSERS[body.kind].includes(principal.type)) return "principal_not_allowed";
  if ("epoch" in principal && principal.epoch !== proposal.epoch) return "late_result";
  if (isTerminal(state.status) && !isAllowedAfterEnd(body))
    return body.kind === "effect_outcome" || principal.type === "executor" ? "late_result" : "run_finished";

  return isWellFormed(body) ? null : "malformed";
};

type NodeWork = Exclude<Extract<ProposalBody, { activation: number }>, { kind: "recall" | "open_case" }>;

const OUTCOMES: readonly NodeWork["kind"][] = ["model_call", "model_failure", "task_failure", "compaction"];

const workObjection = ({ published, state, proposal, body }: DecideContext<NodeWork["kind"]>, node: string): RefusalCode | null => {
  // The action timed out, and the run rests again.
  if (state.position && state.activation !== body.activation) return "late_result";
  if (state.currentNode !== node || state.activation !== body.activation) return "node_not_active";
  if (OUTCOMES.includes(body.kind)) return null;

  if (state.status === "waiting") return body.kind === "effect_intent" && mayWaitToo(published, state, body) ? null : "node_not_active";

  return limitReached(state, proposal.at) ?? (state.status === "retrying" ? "node_not_active" : null);
};

const dispatch = (root: PublishedGraph, state: RunState, proposal: Proposal): Verdict => {
  const { body } = proposal;
  const context = { root, published: getPublishedHere(root, state), state, proposal };
  switch (body.kind) {
    case "start":
      return decideStart({ ...context, body });
    case "decision":
      return decideDecision({ ...context, body });
    case "comment":
      return decideComment({ ...context, body });
    case "edit":
      return decideEdit({ ...context, body });
    case "cancel":
      return decideCancel({ ...context, body });
    case "retry_now":
      return decideRetryNow({ ...context, body });
    case "take_wait_token":
      return decideTakeWaitToken({ ...context, body });
    case "answer_wait":
      return decideAnswerWait({ ...context, body });
    case "end_wait":
      return decideEndWait({ ...context, body });
    case "fork":
      return decideFork({ ...context, body });
    case "step":
      return decideStep({ ...context, body });
    case "request_approval":
      return decideRequest({ ...context, body });
    case "read":
      return reject(refuse("not_found"));
    case "open_cell":
      return decideOpening({ ...context, body });
    case "close_case":
      return decideCloseCase({ ...context, body });
    case "open_case":
      return decideOpenCase({ ...context, body });
    case "begin":
      return decideBegin({ ...context, body });
    case "recover":
      return decideRecover({ ...context, body });
    case "expire":
      return decideExpire({ ...context, body });
    case "escalate":
      return decideEscalate({ ...context, body });
    case "void":
      return decideVoid({ ...context, body });
    case "ask_again":
      return decideAskAgain({ ...context, body });
    case "stop":
      return decideStop({ ...context, body });
    case "retry":
      return decideRetry({ ...context, body });
    case "forfeit":
      return decideForfeit({ ...context, body });
    case "recall":
      return decideRecall({ ...context, body });
    case "ascend":
      return decideAscend({ ...context, body });
    case "undo":
      return decideUndo({ ...context, body });
    case "unwound":
      return decideUnwound({ ...context, body });
    case "effect_outcome":
      return decideOutcome({ ...context, body });
    case "effect_input":
      return decideInput({ ...context, body });
    case "node_result":
    case "node_failure":
    case "outage":
    case "action":
    case "task_failure":
    case "model_intent":
    case "model_call":
    case "model_failure":
    case "compaction":
    case "effect_intent":
    case "verdict":
      return dispatchWork({ ...context, body });
    default:
      return body satisfies never;
  }
};

const dispatchWork = (work: DecideContext<NodeWork["kind"]>): Verdict => {
  const { published, state, proposal, body } = work;
  const worker = proposal.principal.type === "executor" ? proposal.principal.node : "";
  const node = findNodeById(published, worker);
  const code = workObjection(work, worker);
  if (!node || code) return reject(refuse(code ?? "node_not_active", node ? [node.id] : []), node?.id ?? null);
  const context = { ...work, node };
  const held =
    OUTCOMES.includes(body.kind) || body.kind === "node_failure" || body.kind === "outage"
      ? null
      : holdItems(published, state, proposal, node);
  if (held) return accept({ ...held, node: node.id });
  switch (body.kind) {
    case "node_result":
      return decideNodeResult({ ...context, body });
    case "node_failure":
      return decideFailure({ ...context, body });
    case "outage":
      return decideOutage({ ...context, body });
    case "action":
      return decideAction({ ...context, body });
    case "task_failure":
      return decideTaskFailure({ ...context, body });
    case "model_intent":
      return decideModelIntent({ ...context, body });
    case "model_call":
      return decideModelCall({ ...context, body });
    case "model_failure":
      return decideModelFailure({ ...context, body });
    case "compaction":
      return decideCompaction({ ...context, body });
    case "verdict":
      return decideVerdict({ ...context, body });
    case "effect_intent":
      return decideIntent({ ...context, body }, node);
    default:
      return body satisfies never;
  }
};

export const decide = (published: PublishedGraph, state: RunState, proposal: Proposal): Verdict => {
  if (getKind(proposal.body) === "unknown") return reject(refuse("malformed"), state.currentNode);
  const code = objection(state, proposal);
  if (code) return reject(refuse(code), state.currentNode);

  const verdict = dispatch(published, state, proposal);

  if (!verdict.ok) return verdict;
  const closed = settleTurn(state, closeAbandoned(state, verdict));
  const accepted = { ...closed, writes: [...closed.writes, ...writeHistory(closed, proposal.history)] };

  const asked = { ...accepted, events: askAgain(state, endOverspent(state, accepted.events)) };

  return { ok: true, ...asked, events: withDemands(published, getPublishedHere(published, state), state, asked) };
};
