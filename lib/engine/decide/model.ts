import type { GraphNode } from "@/lib/graph/document";
import { joinLabels, createSourceLabel } from "@/lib/graph/label";
import type { Json } from "@/lib/json";
import { refuse, type RefusalCode } from "@/lib/refusal";
import { findShortage, listPassedThresholds, RUN_SCOPE } from "@/lib/engine/budget";
import { isOutOfChoices } from "@/lib/engine/decide/choice";
import type { DecideContext } from "@/lib/engine/decide/context";
import { asksForMore, askForMore } from "@/lib/engine/decide/raise-limit";
import { accept, listReads, reject, type Verdict } from "@/lib/engine/decide/verdict";
import { findNodeByKey } from "@/lib/engine/frame";
import type { BodyOf } from "@/lib/engine/proposal";
import { findAside, ownEntry, type Reservation, type RunState } from "@/lib/engine/state";
import { findTask } from "@/lib/engine/task";
import { getReasoningPath, getThreadPath } from "@/lib/engine/thread-of";
import { getContextLabel, listInfluences } from "@/lib/engine/view";

type ModelContext<K extends "model_intent" | "model_call" | "model_failure"> = DecideContext<K> & { readonly node: GraphNode };

const mayNotAsk = ({ published, state, body, node }: ModelContext<"model_intent">): RefusalCode | null => {
  const task = findTask(published, state, node, body.task ?? "");
  if (!task?.agent) return "task_unknown";

  return isOutOfChoices(state, node) ? "supervisor_limit" : null;
};

export const decideModelIntent = (context: ModelContext<"model_intent">): Verdict => {
  const { root, published, state, proposal, body, node } = context;
  const objection = mayNotAsk(context);
  const shortage = objection ? null : findShortage(state, node, body);
  if (shortage?.scope === RUN_SCOPE && asksForMore(root)) return accept(askForMore(published, state, proposal, node, shortage));
  const code = objection ?? shortage?.code;
  if (code) return reject(refuse(code, [node.id]), node.id);

  return accept({
    events: [
      {
        type: "budget_reserved",
        reservation_id: proposal.fresh[0],
        node: node.id,
        activation: body.activation,
        task: body.task ?? "",
        tokens: body.tokens,
        cost_micro_usd: body.cost_micro_usd,
        epoch: proposal.epoch,
      },
    ],
    node: node.id,
  });
};

const asJson = (body: BodyOf<"model_call">): Json => ({
  fresh: body.fresh.map((message) => ({ ...message })) as Json,
  response: {
    role: "assistant",
    text: body.text,
    tool_calls: body.tool_calls.map((call) => ({ ...call })) as Json,
    ...(body.truncated ? { truncated: true } : {}),
  },
});

export const reservationOf = (
  state: RunState,
  body: Pick<BodyOf<"model_failure">, "activation" | "task" | "reservation_id">,
): Reservation | null => {
  const reservation = ownEntry(state.reservations, body.reservation_id);

  return reservation?.activation === body.activation && reservation.task === (body.task ?? "") ? reservation : null;
};

export const decideModelCall = ({ published, state, body, node }: ModelContext<"model_call">): Verdict => {
  const taskId = body.task ?? "";
  const thread = getThreadPath(state, taskId);
  if (!reservationOf(state, body)) return reject(refuse("reservation_unknown", [node.id]), node.id);
  if (findAside(state, thread).length !== body.step) return reject(refuse("version_conflict"), node.id);
  const { usage } = body;
  const speaker = findTask(published, state, node, taskId)?.agent?.id ?? "";
  // Names agent and model as sources: reviewers must not review their own work.
  const spoken = [`agent:${speaker}`, `model:${usage.model}`].map((from) => createSourceLabel("trusted", "public", from));
  const label = joinLabels([getContextLabel(published, state, node, taskId), ...spoken]);
  const spent = { tokens: usage.input_tokens + usage.output_tokens, cost_micro_usd: usage.cost_micro_usd };

  return accept({
    events: [
      {
        type: "model_called",
        node: node.id,
        activation: body.activation,
        task: taskId,
        step: body.step,
        reservation_id: body.reservation_id,
        usage,
      },
      ...listPassedThresholds(state, node, spent),
    ],
    writes: [
      { path: thread, value: asJson(body), label },
      ...(body.reasoning === undefined ? [] : [{ path: getReasoningPath(state, taskId), value: body.reasoning, label }]),
    ],
    reads: listReads(listInfluences(published, state, node, taskId)),
    node: node.id,
  });
};

const released = (state: RunState, id: string, reservation: Reservation, node: GraphNode | undefined, billed: boolean) => {
  const spent = billed ? { tokens: reservation.tokens, cost_micro_usd: reservation.cost_micro_usd } : { tokens: 0, cost_micro_usd: 0 };

  return [
    { type: "reservation_released", reservation_id: id, ...spent } as const,
    ...(node ? listPassedThresholds(state, node, spent, reservation.key) : []),
  ];
};

export const decideModelFailure = ({ state, body, node }: ModelContext<"model_failure">): Verdict => {
  const reservation = reservationOf(state, body);
  if (!reservation) return reject(refuse("reservation_unknown", [node.id]), node.id);

  return accept({ events: released(state, body.reservation_id, reservation, node, body.billed === "maybe"), node: node.id });
};

/** Charges abandoned calls fully: they may have been made. */
export const decideForfeit = ({ root, state, proposal, body }: DecideContext<"forfeit">): Verdict => {
  const reservation = ownEntry(state.reservations, body.reservation_id);
  if (!reservation || (reservation.epoch >= proposal.epoch && reservation.activation === state.activation))
    return reject(refuse("reservation_unknown"));
  const node = findNodeByKey(root, reservation.key);

  return accept({ events: released(state, body.reservation_id, reservation, node, true), node: reservation.node });
};
