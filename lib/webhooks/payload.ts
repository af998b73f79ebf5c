import { z } from "zod";
import { authorityClassSchema } from "@/lib/engine/approvals/authority-class";
import { checkpointEntrySchema } from "@/lib/engine/ledger/checkpoint-file";
import { gateReasonSchema, runStatusSchema } from "@/lib/engine/event";
import { escalatesToSchema } from "@/lib/graph/kinds/fields";
import { idSchema, uuidSchema } from "@/lib/ids";
import { groupNameSchema } from "@/lib/people/approvers";
import { refusalCodeSchema } from "@/lib/refusal";
import { roleSchema } from "@/lib/roles";
import { sentOutputsSchema } from "./outputs";
import type { DeliveryType } from "./types";

export const MOST_PEOPLE = 100;

const time = z.iso.datetime();
const inWorkspace = { workspace_id: uuidSchema, /** Page for people, behind sign-in. */ link: z.url().max(2_000) };
const ofRun = { ...inWorkspace, run_id: uuidSchema, graph_id: uuidSchema, graph_name: z.string().max(120) };
const ofApproval = {
  ...ofRun,
  approval_id: uuidSchema,
  node: idSchema,
  reason: gateReasonSchema,
  role: roleSchema,
  /** Null: older than this field. */
  authority: authorityClassSchema.nullable(),
  opened_at: time,
};

const GATE_OUTCOMES = ["approved", "rejected", "expired", "void", "changes_requested", "superseded"] as const;

const DATA = {
  "approval.requested": z.strictObject({ ...ofApproval, expires_at: time }),
  "approval.reminder": z.strictObject({
    ...ofApproval,
    expires_at: time,
    /** Of the waiting time. */
    percent: z.number().int().min(1).max(99),
    /** Can decide it and have not set it aside. */
    people: z.array(uuidSchema).max(MOST_PEOPLE),
  }),
  "approval.escalated": z.strictObject({
    ...ofApproval,
    expires_at: time,
    escalated_at: time,
    to: escalatesToSchema,
    group: groupNameSchema.exactOptional(),
    /** Those it was escalated to; empty for a group. */
    people: z.array(uuidSchema).max(MOST_PEOPLE),
  }),
  "approval.resolved": z.strictObject({ ...ofApproval, outcome: z.enum(GATE_OUTCOMES), resolved_at: time }),
  "run.ended": z.strictObject({
    ...ofRun,
    status: runStatusSchema,
    simulated: z.boolean(),
    ended_at: time,
    /** Only for endpoints that were granted values; never stored. */
    outputs: sentOutputsSchema.shape.outputs.exactOptional(),
    withheld: sentOutputsSchema.shape.withheld.exactOptional(),
  }),
  /** Highest threshold that the run's token or cost budget passed. */
  "run.threshold": z.strictObject({ ...ofRun, percent: z.number().int().min(1).max(100) }),
  "run.refused": z.strictObject({ ...ofRun, code: refusalCodeSchema, node: idSchema.nullable() }),
  "run.frozen": z.strictObject({ ...ofRun, fault: z.string().regex(/^[a-z_]{1,64}$/), seq: z.number().int().min(-1) }),
  /** `since`: previously delivered checkpoint. */
  "checkpoint.signed": z.strictObject({ ...inWorkspace, ...checkpointEntrySchema.shape }),
  "server.suspended": z.strictObject({ ...inWorkspace, server_id: idSchema }),
  "webhook.test": z.strictObject({ ...inWorkspace, endpoint_id: uuidSchema }),
} as const satisfies Record<DeliveryType, z.ZodType>;

const payloadOf = <T extends DeliveryType>(type: T) =>
  z.strictObject({ type: z.literal(type), /** Of the event. */ timestamp: time, data: DATA[type] });

export const webhookPayloadSchema = z.discriminatedUnion("type", [
  payloadOf("approval.requested"),
  payloadOf("approval.reminder"),
  payloadOf("approval.escalated"),
  payloadOf("approval.resolved"),
  payloadOf("run.ended"),
  payloadOf("run.threshold"),
  payloadOf("run.refused"),
  payloadOf("run.frozen"),
  payloadOf("checkpoint.signed"),
  payloadOf("server.suspended"),
  payloadOf("webhook.test"),
]);
export type WebhookPayload = z.infer<typeof webhookPayloadSchema>;
