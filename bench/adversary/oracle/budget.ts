/** B1. */
import type { RunEvent } from "@/lib/engine/event";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { partyOf } from "@/bench/adversary/tasks";
import { getKey, findNode, placeOf, type Blame, type Seen } from "./visibility";

type EventOf<T extends RunEvent["type"]> = Extract<RunEvent, { type: T }>;

const open = (seen: Seen, key: string | null) => {
  const held = [...seen.reservations.values()].filter((reservation) => key === null || reservation.key === key);

  return {
    tokens: held.reduce((sum, { tokens }) => sum + tokens, 0),
    cost: held.reduce((sum, { cost_micro_usd: cost }) => sum + cost, 0),
  };
};

const MICRO = 1_000_000;

export const checkReserved = (seen: Seen, event: EventOf<"budget_reserved">, blame: Blame): void => {
  const node = findNode(seen, event.node);
  const { published, memory } = placeOf(seen);
  const party = node && partyOf(published, memory, node, event.task);
  if (!node || !party || (party.agent === null && event.task !== "")) blame("G1", `a model was asked for the unknown task ${event.task}`);
  if (node?.kind === "supervisor" && (seen.choices.get(getKey(seen, node.id)) ?? 0) >= node.config.max_iterations)
    blame("B1", "a supervisor was asked that may choose no more");
  const fits = (name: string, limits: { tokens?: number | undefined; usd?: number | undefined }, tokens: number, cost: number) => {
    if (tokens + event.tokens > (limits.tokens ?? Infinity)) blame("B1", `a call began beyond the token budget of ${name}`);
    if (cost + event.cost_micro_usd > (limits.usd ?? Infinity) * MICRO) blame("B1", `a call began beyond the cost budget of ${name}`);
  };
  const all = open(seen, null);
  for (const { published: part, entered, node: name } of seen.places) {
    const { max_token_budget: tokens, budget_usd: usd } = part.graph;
    fits(name ?? "the run", { tokens, usd }, seen.tokens - entered.tokens + all.tokens, seen.cost - entered.cost + all.cost);
  }
  const key = getKey(seen, event.node);
  const [own, held] = [seen.spent.get(key) ?? { tokens: 0, cost: 0 }, open(seen, key)];
  fits(event.node, { tokens: node?.budget?.max_tokens, usd: node?.budget?.max_cost_usd }, own.tokens + held.tokens, own.cost + held.cost);
  seen.reservations.set(event.reservation_id, { ...event, key });
};

const settle = (seen: Seen, id: string, tokens: number, cost: number): void => {
  const key = seen.reservations.get(id)?.key ?? "";
  const before = seen.spent.get(key) ?? { tokens: 0, cost: 0 };
  seen.reservations.delete(id);
  seen.spent.set(key, { tokens: before.tokens + tokens, cost: before.cost + cost });
  seen.tokens += tokens;
  seen.cost += cost;
};

export const checkCalled = (seen: Seen, event: EventOf<"model_called">, blame: Blame): void => {
  const reservation = seen.reservations.get(event.reservation_id);
  if (!reservation) blame("B1", "a model was asked with nothing set aside");
  else if (reservation.activation !== event.activation || reservation.task !== event.task)
    blame("B1", "a call was paid by another one's reservation");
  settle(seen, event.reservation_id, event.usage.input_tokens + event.usage.output_tokens, event.usage.cost_micro_usd);
};

export const checkReleased = (seen: Seen, record: LedgerRecord, event: EventOf<"reservation_released">, blame: Blame): void => {
  const reservation = seen.reservations.get(event.reservation_id);
  const whole = event.tokens === reservation?.tokens && event.cost_micro_usd === reservation.cost_micro_usd;
  if (!reservation) blame("B1", "an unknown reservation was released");
  if (reservation && !whole && (event.tokens > 0 || event.cost_micro_usd > 0)) blame("B1", "a part of a reservation was given back");
  if (reservation && !whole && record.proposal_kind !== "model_failure") blame("B1", "an unanswered call was forgotten");
  if (reservation && record.proposal_kind === "forfeit") {
    const lives = reservation.epoch >= (seen.world.leases[record.seq] ?? 0) && reservation.activation === placeOf(seen).activation;
    if (lives) blame("B1", "a call under way was abandoned by another principal");
  }
  settle(seen, event.reservation_id, event.tokens, event.cost_micro_usd);
};

export const computeWorkedMs = (seen: Seen, at: number): number =>
  seen.startedAt === null ? 0 : at - seen.startedAt - seen.waitedMs - (seen.waitingSince === null ? 0 : at - seen.waitingSince);

const HAPPENED = ["effect_outcome", "model_call", "model_failure", "task_failure", "compaction"];

const reached = (seen: Seen, at: number): readonly string[] =>
  seen.places.flatMap(({ published, entered, node }) => [
    ...(seen.iterations - entered.iterations >= published.graph.max_iterations ? [`the iteration limit of ${node ?? "the run"}`] : []),
    ...(computeWorkedMs(seen, at) - entered.workedMs >= published.graph.max_execution_time_ms
      ? [`the time limit of ${node ?? "the run"}`]
      : []),
    ...(seen.tokens - entered.tokens > (published.graph.max_token_budget ?? Infinity) ||
    seen.cost - entered.cost > (published.graph.budget_usd ?? Infinity) * MICRO
      ? [`the budget of ${node ?? "the run"}`]
      : []),
  ]);

export const checkLimits = (seen: Seen, record: LedgerRecord, blame: Blame): void => {
  if (record.proposal_kind === "stop" && reached(seen, record.at).length === 0) blame("R1", "a run was stopped at no limit");
  if (record.principal.type !== "executor" || HAPPENED.includes(record.proposal_kind)) return;
  for (const limit of reached(seen, record.at)) blame("B1", `worked beyond ${limit}`);
};
