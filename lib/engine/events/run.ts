import { z } from "zod";
import { rulesSchema } from "@/lib/approval-rules/rule";
import { count, formatMoney } from "@/lib/format";
import { hexDigestSchema } from "@/lib/hash";
import { idSchema, uuidSchema } from "@/lib/ids";
import { isTerminal, runStatusSchema, seqSchema } from "@/lib/engine/event";
import { defineEvent, DIGEST_SHOWN, LINE_ONLY, none, skip, step, type Line, type RecordTag } from "@/lib/engine/events/event-entry";
import { forkState, type ForkEvent } from "@/lib/engine/forks/fork";
import { forkEffectsSchema, recordedChangeSchema, type RecordedChange } from "@/lib/engine/forks/fork-change";
import { leaveFrames } from "@/lib/engine/frame";
import { runLimitsSchema } from "@/lib/engine/run-limits";
import type { RunState } from "@/lib/engine/state";

export const runStartedSchema = z.strictObject({
  type: z.literal("run_started"),
  graph_id: idSchema,
  initiator: uuidSchema,
  /** Author of the version, who may not be the only approver. */
  author: uuidSchema,
  /** Model of agents set to `default`. */
  model: z.string().max(200),
  max_iterations: z.number().int(),
  max_execution_time_ms: z.number().int(),
  max_token_budget: z.number().int().nullable(),
  budget_micro_usd: z.number().int().nullable(),
  /** Narrower limits set by the initiator; already applied to those above. */
  limits: runLimitsSchema.exactOptional(),
  trigger: idSchema.exactOptional(),
  /** Absent: the workspace had only its default one. */
  environment: idSchema.exactOptional(),
  /** The workspace demands passkeys for approvals of class write or higher. */
  approvals: z.literal("write").exactOptional(),
  /** The workspace's rules at the start; a fork keeps its parent's too. */
  rules: rulesSchema.exactOptional(),
});
type RunStarted = z.infer<typeof runStartedSchema>;

export const runForkedSchema = z.strictObject({
  type: z.literal("run_forked"),
  run: uuidSchema,
  graph_hash: hexDigestSchema,
  parent_run: uuidSchema,
  parent_seq: seqSchema,
  change: recordedChangeSchema,
  effects: forkEffectsSchema,
});

export const unwindingSchema = z.strictObject({
  type: z.literal("unwinding"),
  to: z.enum(["failed", "cancelled", "timeout", "budget_exceeded"]),
  reason: z.string().max(64),
});

const termsText = ({ limits, rules = [], environment }: RunStarted): readonly string[] => {
  const { max_token_budget: tokens, budget_micro_usd: price } = limits ?? {};

  return [
    ...(environment === undefined ? [] : [environment]),
    ...(tokens === undefined ? [] : [`max ${count(tokens)} ${tokens === 1 ? "token" : "tokens"}`]),
    ...(price === undefined ? [] : [`max ${formatMoney(price)}`]),
    ...(rules.length === 0 ? [] : [`${rules.length} workspace ${rules.length === 1 ? "rule" : "rules"}`]),
  ];
};

const changeText = (change: RecordedChange): string => {
  switch (change.type) {
    case "none":
      return "no change";
    case "model":
      return `model ${change.model}`;
    case "version":
      return `version ${change.graph_hash.slice(0, DIGEST_SHOWN)}`;
    case "strict_taint":
      return `strict taint ${change.value ? "on" : "off"}`;
    case "route":
      return `route ${change.edge}`;
    case "decision":
      return `gate decided: ${change.decision}`;
    case "input":
      return `changed input ${change.path}`;
    case "memory":
      return `changed value of ${change.path}`;
    case "prompt":
      return `changed prompt of ${change.agent}`;
    case "tool_result":
      return "changed tool result";
    default:
      return change satisfies never;
  }
};

const forkedLine = ({ parent_seq: seq, change, effects }: ForkEvent): Line =>
  step(
    seq === 0 ? "Forked from the start of another run" : `Forked after record ${seq - 1} of another run`,
    `${changeText(change)} · ${effects === "simulate" ? "simulated" : "live"}`,
  );

const changeStatus = (state: RunState, to: RunState["status"], reason: string | null, at: number): RunState => {
  const leftWaiting = state.waitingSince !== null && to !== "waiting";

  return {
    // Ended runs show top-level memory.
    ...(isTerminal(to) ? leaveFrames(state) : state),
    status: to,
    startedAt: state.startedAt ?? (to === "running" ? at : null),
    waitingSince: to === "waiting" ? (state.waitingSince ?? at) : null,
    waitedMs: leftWaiting ? state.waitedMs + (at - (state.waitingSince ?? at)) : state.waitedMs,
    ...(isTerminal(to) ? { currentNode: null, activation: null, retryAt: null, unwinding: null, endReason: reason } : {}),
  };
};

const statusTags = (to: RunState["status"]): readonly RecordTag[] => {
  if (!isTerminal(to)) return [];

  return to === "completed" || to === "cancelled" ? ["end"] : ["end", "error"];
};

export const RUN_EVENTS = {
  run_started: defineEvent({
    schema: runStartedSchema,
    about: "First event of a run: version, people, model and limits.",
    reduce: (state, event) => ({ ...state, start: event }),
    weight: 18,
    ...LINE_ONLY,
    line: (event) =>
      step(event.trigger === undefined ? "Run started" : `Run started by ${event.trigger}`, [event.model, ...termsText(event)].join(", ")),
  }),
  run_forked: defineEvent({
    schema: runForkedSchema,
    about: "First event of a fork: parent run and record, and the change.",
    reduce: (state, event, { at }) => forkState(state, event, at),
    weight: 14,
    isMentioned: false,
    line: forkedLine,
    tags: () => ["fork"],
    compared: skip,
    trust: none,
  }),
  status_changed: defineEvent({
    schema: z.strictObject({ type: z.literal("status_changed"), to: runStatusSchema, reason: z.string().max(64).nullable() }),
    about: "The run has another status.",
    reduce: (state, { to, reason }, { at }) => changeStatus(state, to, reason, at),
    weight: 30,
    isMentioned: true,
    line: ({ to, reason }) => ({
      marker: statusTags(to).includes("error") ? "failure" : "end",
      title: to === "budget_exceeded" ? "Budget exceeded" : `Run ${to}`,
      detail: reason ?? "",
    }),
    tags: ({ to }) => statusTags(to),
    compared: ({ to, reason }) => ["status", to, reason],
    trust: none,
  }),
  unwinding: defineEvent({
    schema: unwindingSchema,
    about: "Effects are undone before the run ends.",
    reduce: (state, { to, reason }, { at }) => ({
      ...leaveFrames(state),
      unwinding: { to, reason, since: at },
      currentNode: null,
      activation: null,
      retryAt: null,
    }),
    weight: 11,
    isMentioned: true,
    line: ({ to, reason }) => ({ marker: "failure", title: "Rolling back", detail: `then ${to.replace("_", " ")}: ${reason}` }),
    tags: () => ["error"],
    compared: ({ to, reason }) => ["unwinding", to, reason],
    trust: none,
  }),
};
