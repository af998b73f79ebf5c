/** Types and shared parts of run events (`events/catalogue.ts`). */
import { z } from "zod";
import { escalatesToSchema } from "@/lib/graph/kinds/fields";
import { labelSchema } from "@/lib/graph/label";
import { pathSchema } from "@/lib/graph/path";
import { hexDigestSchema } from "@/lib/hash";
import { idSchema, uuidSchema } from "@/lib/ids";
import { demandSchema, groupNameSchema, MOST_DEMANDS } from "@/lib/people/approvers";
import { roleSchema } from "@/lib/roles";
import { effectDigestSchema } from "@/lib/engine/approvals/receipt";
import type { EVENTS } from "@/lib/engine/events/catalogue";

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
  "budget_exceeded",
] as const;
export const runStatusSchema = z.enum(RUN_STATUSES);
export type RunStatus = z.infer<typeof runStatusSchema>;

export const endStatusSchema = runStatusSchema.extract(["completed", "failed", "cancelled", "timeout", "budget_exceeded"]);
export type EndStatus = z.infer<typeof endStatusSchema>;
export const isTerminal = (status: RunStatus): boolean => (endStatusSchema.options as readonly RunStatus[]).includes(status);

export const seqSchema = z.number().int().min(0);
/** Since 1970. */
export const timeMsSchema = z.number().int().min(0);

/** `seq` null: empty. */
export const basisSchema = z.strictObject({
  path: z.string().max(1_200),
  seq: seqSchema.nullable(),
  commitment: hexDigestSchema.nullable(),
});
export type Basis = z.infer<typeof basisSchema>;

/** Hashed to the transition digest. */
export const transitionSchema = z.strictObject({
  workspace: uuidSchema,
  run: uuidSchema,
  graph_hash: hexDigestSchema,
  policy_hash: hexDigestSchema,
  node: idSchema,
  /** Without ids and times, so that equal proposals have equal digests. */
  proposal_digest: hexDigestSchema,
  reads: z.array(basisSchema),
  overwrites: z.array(basisSchema),
  effect: effectDigestSchema.nullable(),
});
export type Transition = z.infer<typeof transitionSchema>;

/** `abstain`: case reviewers only. */
export const decisionSchema = z.enum(["approve", "reject", "abstain", "request_changes"]);

/** Absent: a page or the API. */
export const viaSchema = z.enum(["mail", "slack", "push"]);
export type Via = z.infer<typeof viaSchema>;

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
  "budget",
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
  opened_at: timeMsSchema,
  expires_at: timeMsSchema,
  /** Until then only those asked first are told; later, these too. */
  escalation: z.strictObject({ at: timeMsSchema, to: escalatesToSchema, group: groupNameSchema.exactOptional() }).exactOptional(),
  /** Gate replaced by this one after it was voided, sent back or edited. */
  supersedes: uuidSchema.exactOptional(),
  /** Editors of the proposal; none may be its only approver. */
  editors: z.array(uuidSchema).min(1).max(MOST_EDITORS).exactOptional(),
  /** Demanded approvers; absent: anyone with the role. */
  demands: z.array(demandSchema).min(1).max(MOST_DEMANDS).exactOptional(),
  /** Workspace rules that apply, by id; part of `quorum`, `demands` and the members below. */
  rules: z.array(uuidSchema).min(1).max(MOST_DEMANDS).exactOptional(),
  /** The version's author is no approver at all. */
  not_publisher: z.literal(true).exactOptional(),
  /** Further signature that approvals need. */
  signature: z.literal("passkey").exactOptional(),
});
export type Gate = z.infer<typeof gateSchema>;

/** Applies until node `until`; null: to the end. */
export const controlSchema = z.strictObject({ until: idSchema.nullable(), label: labelSchema });
export type Control = z.infer<typeof controlSchema>;

export type RunEvent = z.infer<(typeof EVENTS)[keyof typeof EVENTS]["schema"]>;
export type EventType = RunEvent["type"];
export type EventOf<T extends EventType> = Extract<RunEvent, { type: T }>;
