import { z } from "zod";
import { count, formatMoney } from "@/lib/format";
import { hexDigestSchema } from "@/lib/hash";
import { idSchema, uuidSchema } from "@/lib/ids";
import { seqSchema } from "@/lib/engine/event";
import { defineEvent, keepState, LINE_ONLY, none, skip, step } from "@/lib/engine/events/event-entry";
import { describeLimit, LIMIT_NAMES, raiseSchema } from "@/lib/engine/approvals/raised-limit";
import { RUN_SCOPE } from "@/lib/engine/budget";
import { getNodeKey } from "@/lib/engine/frame";
import { ownEntry, type RunState, type Spent } from "@/lib/engine/state";
import { taskIdSchema } from "@/lib/engine/task-id";
import { usageSchema, type Usage } from "@/lib/engine/usage";

const tokens = z.number().int().min(0);
const microUsd = z.number().int().min(0);

export const budgetReservedSchema = z.strictObject({
  type: z.literal("budget_reserved"),
  reservation_id: uuidSchema,
  node: idSchema,
  activation: seqSchema,
  task: taskIdSchema,
  tokens,
  cost_micro_usd: microUsd,
  epoch: z.number().int(),
});

const describeParts = ({ cached_input_tokens: cached, reasoning_tokens: reasoning }: Usage): string =>
  [cached === undefined ? "" : `, ${count(cached)} cached`, reasoning === undefined ? "" : `, ${count(reasoning)} of reasoning`].join("");

const limitRaisedSchema = z.strictObject({ type: z.literal("limit_raised"), approval_id: uuidSchema, ...raiseSchema.shape });

const NOTHING: Spent = { tokens: 0, costMicroUsd: 0 };

const settle = (state: RunState, reservationId: string, spentTokens: number, costMicroUsd: number): RunState => {
  const { [reservationId]: reservation, ...open } = state.reservations;
  if (!reservation) return state;
  const before = ownEntry(state.spent, reservation.key) ?? NOTHING;
  const spent = { tokens: before.tokens + spentTokens, costMicroUsd: before.costMicroUsd + costMicroUsd };

  return {
    ...state,
    reservations: open,
    totalTokens: state.totalTokens + spentTokens,
    costMicroUsd: state.costMicroUsd + costMicroUsd,
    spent: { ...state.spent, [reservation.key]: spent },
  };
};

const amountText = ({ tokens: most, cost_micro_usd: cost }: { readonly tokens: number; readonly cost_micro_usd: number }): string =>
  `${count(most)} ${most === 1 ? "token" : "tokens"}, ${formatMoney(cost)}`;

const withTask = (text: string, task: string): string => (task === "" ? text : `${text} · ${task}`);

export const BUDGET_EVENTS = {
  budget_reserved: defineEvent({
    schema: budgetReservedSchema,
    about: "The highest possible price of a model call is set aside before the call.",
    reduce: (state, { type: _type, reservation_id: id, ...reservation }, { at: atMs }) => ({
      ...state,
      reservations: { ...state.reservations, [id]: { ...reservation, key: getNodeKey(state, reservation.node), atMs } },
    }),
    weight: 23,
    ...LINE_ONLY,
    line: (event) => step("Budget reserved", withTask(`up to ${amountText(event)}`, event.task)),
  }),
  /** Unanswered reservation and what counts as spent. */
  reservation_released: defineEvent({
    schema: z.strictObject({ type: z.literal("reservation_released"), reservation_id: uuidSchema, tokens, cost_micro_usd: microUsd }),
    about: "A reservation without an answer is given back.",
    reduce: (state, event) => settle(state, event.reservation_id, event.tokens, event.cost_micro_usd),
    weight: 24,
    ...LINE_ONLY,
    line: (event) => step("Budget released", `${amountText(event)} spent`),
  }),
  model_called: defineEvent({
    schema: z.strictObject({
      type: z.literal("model_called"),
      node: idSchema,
      activation: seqSchema,
      task: taskIdSchema,
      step: z.number().int().min(0),
      reservation_id: uuidSchema,
      usage: usageSchema,
    }),
    about: "A model answered, with its usage.",
    reduce: (state, { reservation_id: id, usage }) => ({
      ...settle(state, id, usage.input_tokens + usage.output_tokens, usage.cost_micro_usd),
      outage: null,
    }),
    weight: 10,
    ...LINE_ONLY,
    line: ({ usage, task }) => ({ marker: "model", title: "Model call", detail: withTask(`${usage.model}${describeParts(usage)}`, task) }),
  }),
  thread_compacted: defineEvent({
    schema: z.strictObject({
      type: z.literal("thread_compacted"),
      node: idSchema,
      activation: seqSchema,
      task: taskIdSchema,
      turns: z.number().int().min(1),
      how: z.enum(["summarise", "drop"]),
      replaced: z.array(hexDigestSchema).max(1_000),
    }),
    about: "Older turns of a conversation give way to a summary, or are left out, in later calls.",
    reduce: keepState,
    weight: 9.5,
    ...LINE_ONLY,
    line: ({ turns, how, task }) =>
      step(`Conversation ${how === "drop" ? "cut" : "summarized"}`, withTask(`first ${turns} ${turns === 1 ? "turn" : "turns"}`, task)),
  }),
  /** Thresholds of the raised limit are reported again. */
  limit_raised: defineEvent({
    schema: limitRaisedSchema,
    about: "A person raised a limit of the run.",
    reduce: (state, { measure, to }) => ({
      ...state,
      start: state.start && { ...state.start, [measure === "tokens" ? "max_token_budget" : "budget_micro_usd"]: to },
      thresholds: state.thresholds.filter((told) => !told.startsWith(`${RUN_SCOPE}:${measure}:`)),
    }),
    weight: 48,
    isMentioned: true,
    line: ({ measure, from, to }) => ({
      marker: "approved",
      title: "Limit raised",
      detail: `${LIMIT_NAMES[measure]}: ${describeLimit(measure, from)} to ${describeLimit(measure, to)}`,
    }),
    tags: none,
    compared: ({ measure, to }) => ["limit", measure, String(to)],
    trust: none,
  }),
  budget_threshold: defineEvent({
    schema: z.strictObject({
      type: z.literal("budget_threshold"),
      scope: z.string().max(2_200),
      measure: z.enum(["tokens", "cost"]),
      percent: z.union([z.literal(50), z.literal(75), z.literal(90), z.literal(100)]),
    }),
    about: "A budget is used up to 50, 75, 90 or 100 percent.",
    reduce: (state, { scope, measure, percent }) => ({ ...state, thresholds: [...state.thresholds, `${scope}:${measure}:${percent}`] }),
    weight: 28,
    isMentioned: true,
    line: ({ scope, measure, percent }) => ({
      marker: percent === 100 ? "failure" : "step",
      title: `${percent}% of the ${measure === "tokens" ? "token" : "cost"} budget used`,
      detail: scope === "run" ? "whole run" : scope,
    }),
    tags: none,
    compared: skip,
    trust: none,
  }),
};
