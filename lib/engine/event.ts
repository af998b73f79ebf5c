/** What accepted proposals turn into. A record carries its events without values; values are cells. */
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

/** A cell by place: the record that wrote it. `seq` null: nothing was there. */
export const basisSchema = z.strictObject({ path: z.string().max(1_200), seq: seq.nullable(), commitment: hexDigestSchema.nullable() });
export type Basis = z.infer<typeof basisSchema>;

/** Exactly what an approval covers. Its digest is the transition digest. */
export const transitionSchema = z.strictObject({
  workspace: uuidSchema,
  run: uuidSchema,
  graph_hash: hexDigestSchema,
  policy_hash: hexDigestSchema,
  node: idSchema,
  /** Of the proposal that waits, without ids or times, so that the same proposal has the same digest. */
  proposal_digest: hexDigestSchema,
  reads: z.array(basisSchema),
  overwrites: z.array(basisSchema),
  effect: effectDigestSchema.nullable(),
});
export type Transition = z.infer<typeof transitionSchema>;

/** `abstain` is for the reviewers of a case; `request_changes` sends a proposal back with a note. */
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

/** Edits of one proposal, one upon the other. */
export const MOST_EDITORS = 20;

export const gateSchema = z.strictObject({
  id: uuidSchema,
  /** The node that waits; `transition.node` is the node whose proposal is approved. */
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
  /** The gate that this one asks anew instead of: it was void, its proposal was sent back, or somebody edited it. */
  supersedes: uuidSchema.exactOptional(),
  /** Who edited what it asks about: none of them can be the only one to approve it. */
  editors: z.array(uuidSchema).min(1).max(MOST_EDITORS).exactOptional(),
  /** What an approval has to be signed with besides. */
  signature: z.literal("passkey").exactOptional(),
});
export type Gate = z.infer<typeof gateSchema>;

/** A decision that what happens now depends on, until the run is at `until` (null: to the end). */
export const controlSchema = z.strictObject({ until: idSchema.nullable(), label: labelSchema });
export type Control = z.infer<typeof controlSchema>;

const tokens = z.number().int().min(0);
const microUsd = z.number().int().min(0);

/** The end of a run that failed or was stopped. */
const endSchema = z.enum(["failed", "cancelled", "timeout"]);

export const eventSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("run_started"),
    graph_id: idSchema,
    initiator: uuidSchema,
    /** The author of the graph version, who cannot be the only one to approve in its runs. */
    author: uuidSchema,
    /** What agents with model `default` use. */
    model: z.string().max(200),
    max_iterations: z.number().int(),
    max_execution_time_ms: z.number().int(),
    max_token_budget: z.number().int().nullable(),
    budget_micro_usd: z.number().int().nullable(),
    /** What whoever started it allowed it, where that is said; the limits above are already as narrow. */
    limits: runLimitsSchema.exactOptional(),
    /** The workspace demands a passkey for every approval of class write or higher. */
    approvals: z.literal("write").exactOptional(),
  }),
  /** The first record of a fork: from here on it is a run of its own. */
  z.strictObject({
    type: z.literal("run_forked"),
    run: uuidSchema,
    /** What it executes, with what it changed. */
    graph_hash: hexDigestSchema,
    parent_run: uuidSchema,
    parent_seq: seq,
    change: recordedChangeSchema,
    effects: forkEffectsSchema,
  }),
  z.strictObject({ type: z.literal("status_changed"), to: runStatusSchema, reason: z.string().max(64).nullable() }),
  /** `edge` null: the start, or a way that a node's configuration declares. */
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
    /** When the next attempt may start; null: there is none. */
    retry_at: timeMs.nullable(),
  }),
  z.strictObject({ type: z.literal("task_failed"), node: idSchema, activation: seq, task: taskIdSchema, code: z.string().max(64) }),
  /** Set aside before a model call: the worst that it can cost. */
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
  /** A reservation without an answer to show for it: what of it counts as spent. */
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
  /** `scope`: `run`, or the node. Each threshold of each budget is told once. */
  z.strictObject({
    type: z.literal("budget_threshold"),
    scope: z.string().max(2_200),
    measure: z.enum(["tokens", "cost"]),
    percent: z.union([z.literal(50), z.literal(75), z.literal(90), z.literal(100)]),
  }),
  z.strictObject({ type: z.literal("handed_off"), node: idSchema, activation: seq, to: idSchema }),
  /** `to` null: the supervisor says that the work is done. */
  z.strictObject({ type: z.literal("supervisor_chose"), node: idSchema, activation: seq, to: idSchema.nullable() }),
  /** A subgraph's own limits come with it: they hold inside, besides the run's. */
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
    /** The subgraph nodes that the node lies in, outermost first. */
    frames: z.array(idSchema).max(32),
    server: idSchema,
    tool: z.string().max(300),
  }),
  z.strictObject({ type: z.literal("compensation_settled"), effect_id: uuidSchema, outcome: z.enum(["done", "failed", "declined"]) }),
  /** What was done is undone before the run ends. */
  z.strictObject({ type: z.literal("unwinding"), to: endSchema, reason: z.string().max(64) }),
  z.strictObject({
    type: z.literal("effect_intended"),
    effect_id: uuidSchema,
    node: idSchema,
    activation: seq,
    task: taskIdSchema,
    /** Attempt, task and the model's call id: one effect per call, however often it is asked for. */
    call_id: z.string().max(220),
    /** Sent with the call and with each repetition of it; records from before it was recorded send the effect's id. */
    idempotency_key: hexDigestSchema.exactOptional(),
    /** The effect that this one undoes. */
    undoes: uuidSchema.nullable(),
    /** The subgraph nodes that the node lies in, outermost first. */
    frames: z.array(idSchema).max(32),
    effect: effectDigestSchema,
    effect_class: effectClassSchema,
    idempotent: z.boolean(),
    /** The approval whose receipt authorizes it. */
    approval_id: uuidSchema.nullable(),
    /** The case in which it was verified, where the graph asks for that. */
    case_id: uuidSchema.nullable(),
    epoch: z.number().int(),
  }),
  z.strictObject({
    type: z.literal("effect_settled"),
    effect_id: uuidSchema,
    outcome: z.enum(["ok", "tool_error", "abandoned"]),
    /** Nothing was called: the answer is from the record of another run, or made up for this one. */
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
    /** Who had approved and by then might not any more: their approvals do not count. */
    lapsed: z.array(uuidSchema).min(1).max(10).exactOptional(),
  }),
  /** Said about an open gate; it changes nothing else. The words are a cell. */
  z.strictObject({ type: z.literal("commented"), approval_id: uuidSchema, user: uuidSchema }),
  z.strictObject({
    type: z.literal("gate_resolved"),
    approval_id: uuidSchema,
    outcome: z.enum(["approved", "rejected", "expired", "void", "changes_requested", "superseded"]),
    receipt: receiptSchema.nullable(),
  }),
]);
export type RunEvent = z.infer<typeof eventSchema>;
