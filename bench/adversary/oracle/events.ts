import type { RunEvent } from "@/lib/engine/event";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import type { Json } from "@/lib/json";
import { CLASSIFICATIONS } from "@/lib/graph/label";
import { partyOf } from "@/bench/adversary/tasks";
import { CLEAR, joined, levelOf, type Level } from "@/bench/adversary/taint";
import { checkCalled, checkReleased, checkReserved } from "./budget";
import { checkRaised, takeCase, takeClosed, takeVerdict } from "./cases";
import { checkAsked, checkEffect } from "./effects";
import { checkEscalated, checkPromoted, checkResolved } from "./gates";
import { checkChose, checkEnd, checkEntered, checkHandOff } from "./route";
import { getKey, levelOfTask, findNode, placeOf, type Blame, type Seen } from "./visibility";
import { checkPushed, checkUndo, checkUndone } from "./undo";
import type { Crossing } from "./writes";

type EventOf<T extends RunEvent["type"]> = Extract<RunEvent, { type: T }>;

const endsRun = (event: RunEvent): boolean =>
  event.type === "status_changed" && ["completed", "failed", "cancelled", "timeout"].includes(event.to);

const takeStatus = (seen: Seen, event: EventOf<"status_changed">, at: number, blame: Blame): void => {
  if (event.to === "running") seen.startedAt ??= at;
  if (event.to === "waiting") seen.waitingSince ??= at;
  else if (seen.waitingSince !== null) {
    seen.waitedMs += at - seen.waitingSince;
    seen.waitingSince = null;
  }
  if (event.to === "completed" && seen.places.length > 1) blame("F1", "the run was complete inside a subgraph");
  if (event.to === "completed") checkEnd(seen, blame);
  seen.over = endsRun(event);
  if (seen.over && [...seen.effects.values()].some(({ settled }) => !settled)) blame("R1", "the run ended and a call stayed open for good");
  const left = seen.undo.some(({ settled }) => !settled);
  if (seen.over && event.to !== "completed" && left) blame("R1", "the run ended and had not undone what it did");
};

const heard = (seen: Seen, activation: number, task: string, level: Level): void => {
  const visit = seen.answered.get(activation) ?? new Map<string, Level>();
  visit.set(task, joined(visit.get(task) ?? CLEAR, level));
  seen.answered.set(activation, visit);
};

const takeSettled = (seen: Seen, record: LedgerRecord, event: EventOf<"effect_settled">, blame: Blame): void => {
  const effect = seen.effects.get(event.effect_id);
  if (!effect || effect.settled) blame("R1", "an effect was settled that was not under way");
  if (!effect) return;
  effect.settled = true;
  const gaveUp = event.outcome === "abandoned";
  if (!gaveUp && record.principal.type === "executor" && record.principal.node !== effect.node)
    blame("R1", "another node said what came of an effect");
  // The last record abandons unanswered calls of any node.
  if (gaveUp && record.principal.type === "executor" && !record.control.some(endsRun))
    blame("R1", "an executor gave a call up while its run went on");
  const tool = placeOf(seen).published.tools.find(
    ({ server, tool: name }) => server === effect.effect.server && name === effect.effect.tool,
  );
  const secrecy = CLASSIFICATIONS.indexOf(tool?.output ?? "public");
  if (!gaveUp && effect.undoes === null) heard(seen, effect.activation, effect.task, joined(effect.level, { distrust: 2, secrecy }));
};

const openedLevel = (seen: Seen, crossing: Crossing | null): Level => {
  if (crossing?.way === "out") return joined(...crossing.levels.values());
  const node = findNode(seen, placeOf(seen).at);

  return node ? levelOfTask(seen, node) : CLEAR;
};

const takeDecision = (seen: Seen, { approval_id: id, decision, user, lapsed = [] }: EventOf<"decision_made">): void => {
  const approvers = seen.gates.get(id)?.approvers ?? [];
  approvers.splice(0, approvers.length, ...approvers.filter((earlier) => !lapsed.includes(earlier)));
  if (decision === "approve") approvers.push(user);
};

const takeGate = (
  seen: Seen,
  record: LedgerRecord,
  event: EventOf<"gate_opened">,
  values: readonly Json[],
  crossing: Crossing | null,
  blame: Blame,
) => {
  if ([...seen.gates.values()].some(({ status }) => status === "open")) blame("F1", "a second gate was opened");
  checkAsked(seen, record, event, blame);
  const index = record.writes.findIndex(({ path }) => path === `$pending.${event.gate.id}`);
  const { activation, memory } = placeOf(seen);
  seen.gates.set(event.gate.id, {
    gate: event.gate,
    status: "open",
    approvers: [],
    receipt: null,
    visit: activation,
    // An edit is at least as tainted as its source.
    level: event.gate.editors ? joined(seen.gates.get(event.gate.supersedes ?? "")?.level ?? CLEAR) : openedLevel(seen, crossing),
    pending: values[index] ?? null,
    memory,
  });
};

const countVisit = (seen: Seen, activation: number): void => {
  if (seen.counted !== activation) seen.iterations += 1;
  seen.counted = activation;
};

const takeFailed = (seen: Seen, event: EventOf<"attempt_failed">, blame: Blame): void => {
  const place = placeOf(seen);
  const node = findNode(seen, event.node);
  place.attempts += 1;
  place.handoff = null;
  place.retryAt = event.retry_at;
  if (event.retry_at !== null && place.attempts >= (node?.failure_policy.attempts ?? 0))
    blame("B1", `${event.node} was tried more often than it may be`);
  if (event.retry_at !== null && event.code === "node_timeout") blame("B1", `${event.node} was tried again after its time was over`);
};

const checkTask = (seen: Seen, event: EventOf<"task_failed">, blame: Blame): void => {
  const node = findNode(seen, event.node);
  const { published, memory } = placeOf(seen);
  if (!node || event.task === "" || !partyOf(published, memory, node, event.task)) blame("G1", `${event.task} failed, which is no task`);
};

export const takeRecall = (seen: Seen, record: LedgerRecord, blame: Blame): void => {
  const body = seen.world.spoken[record.seq]?.body;
  const place = placeOf(seen);
  const node = findNode(seen, place.at);
  const recall = node?.kind === "agent" ? node.config.recall : undefined;
  if (body?.kind !== "recall") return;
  if (body.activation !== place.activation || !recall) blame("F1", "a recall has no waiting node");
  if (body.facts.length > (recall?.limit ?? 0)) blame("B1", "more was recalled than the node says");
  if (body.facts.some(({ topic }) => recall?.topics.includes(topic) !== true))
    blame("G1", "something was recalled that the node does not name");
  if (seen.answered.get(body.activation)?.has("$")) blame("R1", "recalled twice");
  heard(seen, body.activation, "$", joined(...body.facts.map(({ label }) => levelOf(label))));
};

export const takeEvent = (
  seen: Seen,
  record: LedgerRecord,
  event: RunEvent,
  values: readonly Json[],
  crossing: Crossing | null,
  blame: Blame,
): void => {
  const place = placeOf(seen);
  switch (event.type) {
    case "run_started":
      Object.assign(seen, { initiator: event.initiator, author: event.author });
      return;
    case "status_changed":
      return takeStatus(seen, event, record.at, blame);
    case "gate_escalated":
      return checkEscalated(seen, record, event, blame);
    case "run_forked":
      blame("R1", "a run was forked without a request");
      return;
    case "node_entered":
      return checkEntered(seen, record, event, blame);
    case "node_completed":
      countVisit(seen, event.activation);
      return;
    case "outage_waited":
      placeOf(seen).retryAt = event.retry_at;
      return;
    case "attempt_failed":
      if (event.retry_at === null) countVisit(seen, event.activation);
      return takeFailed(seen, event, blame);
    case "task_failed":
      return checkTask(seen, event, blame);
    case "budget_reserved":
      return checkReserved(seen, event, blame);
    case "reservation_released":
      return checkReleased(seen, record, event, blame);
    case "model_called":
      return checkCalled(seen, event, blame);
    case "thread_compacted":
      if (event.replaced.length !== event.turns) blame("R1", "a conversation was shortened by turns that it does not name");
      return;
    case "budget_threshold":
      return;
    case "limit_raised":
      blame("B1", "a limit was raised where the graph asks for nothing");
      return;
    case "handed_off":
      return checkHandOff(seen, event, blame);
    case "supervisor_chose":
      return checkChose(seen, event, getKey(seen, event.node), blame);
    case "frame_entered":
      return;
    case "frame_ended":
      if (event.outcome === "completed") checkEnd(seen, blame);
      if (seen.places.length === 1) blame("F1", "a subgraph ended that was not entered");
      place.at = null;
      return;
    case "frame_left":
      // The outer node's visit continues.
      return;
    case "promoted":
      return event.case_id === null ? checkPromoted(seen, record, event, blame) : checkRaised(seen, record, event, blame);
    case "case_opened":
      return takeCase(seen, event, blame);
    case "verdict_given":
      return takeVerdict(seen, record, event, blame);
    case "case_closed":
      return takeClosed(seen, event, blame);
    case "judged":
      return;
    case "compensation_pushed": {
      const index = record.writes.findIndex(({ path }) => path === `$undo.${event.effect_id}`);
      checkPushed(seen, event, values[index] ?? null, blame);
      seen.undo.push({ ...event, arguments: values[index] ?? null, settled: false });
      return;
    }
    case "compensation_settled": {
      checkUndone(seen, record, event, blame);
      const undo = seen.undo.find(({ effect_id: id }) => id === event.effect_id);
      if (undo) undo.settled = true;
      return;
    }
    case "unwinding":
      for (; seen.places.length > 1; seen.taint.ascend()) seen.places.pop();
      Object.assign(placeOf(seen), { at: null });
      seen.unwinding = true;
      return;
    case "effect_intended": {
      const node = findNode(seen, event.node);
      const level = node && event.undoes === null ? levelOfTask(seen, node, event.task) : CLEAR;
      if (event.undoes === null) checkEffect(seen, record, event, blame);
      else checkUndo(seen, record, event, blame);
      seen.effects.set(event.effect_id, { ...event, settled: false, level: seen.effects.get(event.effect_id)?.level ?? level });
      return;
    }
    case "effect_settled":
      return takeSettled(seen, record, event, blame);
    case "gate_opened":
      return takeGate(seen, record, event, values, crossing, blame);
    case "decision_made":
      return takeDecision(seen, event);
    case "gate_resolved":
      return checkResolved(seen, record, event, blame);
    case "wait_opened":
      seen.wait = event;
      return;
    case "wait_ended":
      if (seen.wait?.wait_id !== event.wait_id || (event.outcome === "answered") === record.at >= seen.wait.until)
        blame("F1", "a wait ended that was not due");
      seen.wait = null;
      return;
    case "wait_token_taken":
    case "commented":
    case "action_awaited":
    case "action_chosen":
    case "cell_opened":
    case "cells_shredded":
    case "passkey_registered":
    case "passkey_revoked":
    case "passkey_allowed":
    case "countersigned":
    case "admin_changed":
    case "program_taken_over":
    case "approver_group_changed":
    case "approval_rule_added":
    case "approval_rule_removal":
    case "delegation_given":
    case "delegation_revoked":
    case "environments_changed":
    case "version_promotion":
    case "directory_changed":
    case "directory_synced":
    case "directory_token":
    case "directory_group":
      return;
    default:
      event satisfies never;
  }
};
