/** Run events. Values are cells, not part of events. */
import { z } from "zod";
import { effectClassSchema } from "@/lib/graph/document";
import { labelSchema } from "@/lib/graph/label";
import { pathSchema } from "@/lib/graph/path";
import { hexDigestSchema } from "@/lib/hash";
import { idSchema, uuidSchema } from "@/lib/ids";
import { roleSchema } from "@/lib/roles";
import { adminChangedSchema } from "@/lib/engine/event-admin";
import { actionAwaitedSchema, actionChosenSchema } from "@/lib/engine/outside/event-outside";
import { countersignedSchema, passkeyAllowedSchema, passkeyRegisteredSchema, passkeyRevokedSchema } from "@/lib/engine/event-passkey";
import {
  caseClosedSchema,
  caseOpenedSchema,
  cellOpenedSchema,
  cellsShreddedSchema,
  judgedSchema,
  promotedSchema,
  verdictGivenSchema,
} from "@/lib/engine/event-zones";
import { recordedAssertionSchema } from "@/lib/engine/approvals/assertion";
import { forkEffectsSchema, recordedChangeSchema } from "@/lib/engine/forks/fork-change";
import { taskIdSchema } from "@/lib/engine/task-id";
import { effectDigestSchema, receiptSchema } from "@/lib/engine/approvals/receipt";
import { runLimitsSchema } from "@/lib/engine/run-limits";
import { usageSchema } from "@/lib/engine/usage";

export const RUN_STATUSES = [
  "pending",
  "scheduled",
  "running",
  "waiting",
  "retrying",
  "completed",
  "failed",
  "cancelled",
  "timeout",
] as const;
export const runStatusSchema = z.enum(RUN_STATUSES);
export type RunStatus = z.infer<typeof runStatusSchema>;

const TERMINAL: readonly RunStatus[] = ["completed", "failed", "cancelled", "timeout"];
export const isTerminal = (status: RunStatus): boolean => TERMINAL.includes(status);

const seq = z.number().int().min(0);
const timeMs = z.number().int().min(0);

/** `seq` null: empty. */
export const basisSchema = z.strictObject({ path: z.string().max(1_200), seq: seq.nullable(), commitment: hexDigestSchema.nullable() });
export type Basis = z.infer<typeof basisSchema>;

/** Hashed to the transition digest. */
export const transitionSchema = z.strictObject({
  workspace: uuidSchema,
  run: uuidSchema,
  graph_hash: hexDigestSchema,
  policy_hash: hexDigestSchema,
  node: idSchema,
  /** Of the pending proposal without ids and times, so that equal proposals have equal digests. */
  proposal_digest: hexDigestSchema,
  reads: z.array(basisSchema),
  overwrites: z.array(basisSchema),
  effect: effectDigestSchema.nullable(),
});
export type Transition = z.infer<typeof transitionSchema>;

/** `abstain`: case reviewers only. */
export const decisionSchema = z.enum(["approve", "reject", "abstain", "request_changes"]);

export const gateReasonSchema = z.enum([
  "approval_node",
  "protected_key",
  "effect",
  "tainted_effect",
  "tainted_route",
  "unclear_effect",
  "undo",
  "requested",
  "review",
  "tool_input",
]);
export type GateReason = z.infer<typeof gateReasonSchema>;

export const MOST_EDITORS = 20;

export const gateSchema = z.strictObject({
  id: uuidSchema,
  /** Waiting node; `transition.node` is the proposing one. */
  node: idSchema,
  reason: gateReasonSchema,
  prompt: z.string().max(2_000),
  transition: transitionSchema,
  transition_digest: hexDigestSchema,
  review_keys: z.array(pathSchema).max(500),
  role: roleSchema,
  quorum: z.number().int().min(1),
  nonce: uuidSchema,
  opened_at: timeMs,
  expires_at: timeMs,
  /** Gate replaced by this one after it was voided, sent back or edited. */
  supersedes: uuidSchema.exactOptional(),
  /** Editors of the proposal; none may be its only approver. */
  editors: z.array(uuidSchema).min(1).max(MOST_EDITORS).exactOptional(),
  /** Further signature that approvals need. */
  signature: z.literal("passkey").exactOptional(),
});
export type Gate = z.infer<typeof gateSchema>;

/** Applies until node `until`; null: to the end. */
export const controlSchema = z.strictObject({ until: idSchema.nullable(), label: labelSchema });
export type Control = z.infer<typeof controlSchema>;

const tokens = z.number().int().min(0);
const microUsd = z.number().int().min(0);

const endSchema = z.enum(["failed", "cancelled", "timeout"]);

export const eventSchema = z.discriminatedUnion("type", [
  z.strictObject({
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
    /** The workspace demands passkeys for approvals of class write or higher. */
    approvals: z.literal("write").exactOptional(),
  }),
  z.strictObject({
    type: z.literal("run_forked"),
    run: uuidSchema,
    /** Executed version, with the fork's changes. */
    graph_hash: hexDigestSchema,
    parent_run: uuidSchema,
    parent_seq: seq,
    change: recordedChangeSchema,
    effects: forkEffectsSchema,
  }),
  z.strictObject({ type: z.literal("status_changed"), to: runStatusSchema, reason: z.string().max(64).nullable() }),
  /** `edge` null: start, or configured path. */
  z.strictObject({
    type: z.literal("node_entered"),
    node: idSchema,
    activation: seq,
    edge: idSchema.nullable(),
    controls: z.array(controlSchema).max(10_000),
  }),
  z.strictObject({ type: z.literal("node_completed"), node: idSchema, activation: seq }),
  z.strictObject({
    type: z.literal("attempt_failed"),
    node: idSchema,
    activation: seq,
    code: z.string().max(64),
    /** Earliest retry; null: none. */
    retry_at: timeMs.nullable(),
  }),
  z.strictObject({ type: z.literal("task_failed"), node: idSchema, activation: seq, task: taskIdSchema, code: z.string().max(64) }),
  z.strictObject({
    type: z.literal("budget_reserved"),
    reservation_id: uuidSchema,
    node: idSchema,
    activation: seq,
    task: taskIdSchema,
    tokens,
    cost_micro_usd: microUsd,
    epoch: z.number().int(),
  }),
  /** Unanswered reservation and what counts as spent. */
  z.strictObject({ type: z.literal("reservation_released"), reservation_id: uuidSchema, tokens, cost_micro_usd: microUsd }),
  z.strictObject({
    type: z.literal("model_called"),
    node: idSchema,
    activation: seq,
    task: taskIdSchema,
    step: z.number().int().min(0),
    reservation_id: uuidSchema,
    usage: usageSchema,
  }),
  /** Each threshold is reported once per budget. */
  z.strictObject({
    type: z.literal("budget_threshold"),
    scope: z.string().max(2_200),
    measure: z.enum(["tokens", "cost"]),
    percent: z.union([z.literal(50), z.literal(75), z.literal(90), z.literal(100)]),
  }),
  z.strictObject({ type: z.literal("handed_off"), node: idSchema, activation: seq, to: idSchema }),
  /** `to` null: the work is done. */
  z.strictObject({ type: z.literal("supervisor_chose"), node: idSchema, activation: seq, to: idSchema.nullable() }),
  /** These limits apply besides the run's. */
  z.strictObject({
    type: z.literal("frame_entered"),
    node: idSchema,
    activation: seq,
    version: hexDigestSchema,
    max_iterations: z.number().int(),
    max_execution_time_ms: z.number().int(),
    max_token_budget: z.number().int().nullable(),
    budget_micro_usd: z.number().int().nullable(),
  }),
  z.strictObject({ type: z.literal("frame_ended"), outcome: z.enum(["completed", "failed"]), code: z.string().max(64).nullable() }),
  z.strictObject({ type: z.literal("frame_left") }),
  promotedSchema,
  actionAwaitedSchema,
  actionChosenSchema,
  caseOpenedSchema,
  verdictGivenSchema,
  caseClosedSchema,
  judgedSchema,
  cellOpenedSchema,
  cellsShreddedSchema,
  passkeyRegisteredSchema,
  passkeyRevokedSchema,
  passkeyAllowedSchema,
  countersignedSchema,
  adminChangedSchema,
  z.strictObject({
    type: z.literal("compensation_pushed"),
    effect_id: uuidSchema,
    node: idSchema,
    activation: seq,
    /** Enclosing subgraph nodes, outermost first. */
    frames: z.array(idSchema).max(32),
    server: idSchema,
    tool: z.string().max(300),
  }),
  z.strictObject({ type: z.literal("compensation_settled"), effect_id: uuidSchema, outcome: z.enum(["done", "failed", "declined"]) }),
  z.strictObject({ type: z.literal("unwinding"), to: endSchema, reason: z.string().max(64) }),
  z.strictObject({
    type: z.literal("effect_intended"),
    effect_id: uuidSchema,
    node: idSchema,
    activation: seq,
    task: taskIdSchema,
    /** Attempt, task and the model's call id; one effect per call id. */
    call_id: z.string().max(220),
    /** Sent with every repetition; older records use the effect id. */
    idempotency_key: hexDigestSchema.exactOptional(),
    undoes: uuidSchema.nullable(),
    /** Enclosing subgraph nodes, outermost first. */
    frames: z.array(idSchema).max(32),
    effect: effectDigestSchema,
    effect_class: effectClassSchema,
    idempotent: z.boolean(),
    approval_id: uuidSchema.nullable(),
    case_id: uuidSchema.nullable(),
    epoch: z.number().int(),
  }),
  z.strictObject({
    type: z.literal("effect_settled"),
    effect_id: uuidSchema,
    outcome: z.enum(["ok", "tool_error", "abandoned"]),
    /** Nothing was called: a recorded or invented answer. */
    simulated: z.boolean(),
  }),
  z.strictObject({ type: z.literal("gate_opened"), gate: gateSchema }),
  z.strictObject({
    type: z.literal("decision_made"),
    approval_id: uuidSchema,
    user: uuidSchema,
    decision: decisionSchema,
    view_digest: hexDigestSchema,
    passkey: recordedAssertionSchema.exactOptional(),
    /** Approvers who lost the right since; not counted. */
    lapsed: z.array(uuidSchema).min(1).max(10).exactOptional(),
  }),
  z.strictObject({ type: z.literal("commented"), approval_id: uuidSchema, user: uuidSchema }),
  z.strictObject({
    type: z.literal("gate_resolved"),
    approval_id: uuidSchema,
    outcome: z.enum(["approved", "rejected", "expired", "void", "changes_requested", "superseded"]),
    receipt: receiptSchema.nullable(),
  }),
]);
export type RunEvent = z.infer<typeof eventSchema>;
