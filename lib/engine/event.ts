/** What accepted proposals turn into. A record carries its events without values; values are cells. */
import { z } from "zod";
import { effectClassSchema } from "@/lib/graph/document";
import { labelSchema } from "@/lib/graph/label";
import { pathSchema } from "@/lib/graph/path";
import { hexDigestSchema } from "@/lib/hash";
import { idSchema, uuidSchema } from "@/lib/ids";
import { roleSchema } from "@/lib/roles";
import { effectDigestSchema, receiptSchema } from "@/lib/engine/receipt";
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

export const gateReasonSchema = z.enum(["approval_node", "protected_key", "effect", "tainted_effect", "tainted_route", "unclear_effect"]);
export type GateReason = z.infer<typeof gateReasonSchema>;

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
});
export type Gate = z.infer<typeof gateSchema>;

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
  }),
  z.strictObject({ type: z.literal("status_changed"), to: runStatusSchema, reason: z.string().max(64).nullable() }),
  /** `label` is the control label: what the choice of this way depended on. `edge` null: the start, or a rejection. */
  z.strictObject({ type: z.literal("node_entered"), node: idSchema, activation: seq, edge: idSchema.nullable(), label: labelSchema }),
  z.strictObject({ type: z.literal("node_completed"), node: idSchema, activation: seq }),
  z.strictObject({
    type: z.literal("attempt_failed"),
    node: idSchema,
    activation: seq,
    code: z.string().max(64),
    /** When the next attempt may start; null: there is none. */
    retry_at: timeMs.nullable(),
  }),
  z.strictObject({ type: z.literal("model_called"), node: idSchema, activation: seq, step: z.number().int().min(0), usage: usageSchema }),
  z.strictObject({
    type: z.literal("effect_intended"),
    effect_id: uuidSchema,
    node: idSchema,
    activation: seq,
    /** The model's call id, or `call` for a tool node: one effect per call, however often it is asked for. */
    call_id: z.string().max(160),
    effect: effectDigestSchema,
    effect_class: effectClassSchema,
    idempotent: z.boolean(),
    /** The approval whose receipt authorizes it. */
    approval_id: uuidSchema.nullable(),
    epoch: z.number().int(),
  }),
  z.strictObject({ type: z.literal("effect_settled"), effect_id: uuidSchema, outcome: z.enum(["ok", "tool_error", "abandoned"]) }),
  z.strictObject({ type: z.literal("gate_opened"), gate: gateSchema }),
  z.strictObject({
    type: z.literal("decision_made"),
    approval_id: uuidSchema,
    user: uuidSchema,
    decision: z.enum(["approve", "reject"]),
    view_digest: hexDigestSchema,
  }),
  z.strictObject({
    type: z.literal("gate_resolved"),
    approval_id: uuidSchema,
    outcome: z.enum(["approved", "rejected", "expired", "void"]),
    receipt: receiptSchema.nullable(),
  }),
]);
export type RunEvent = z.infer<typeof eventSchema>;
