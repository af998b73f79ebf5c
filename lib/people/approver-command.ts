import { z } from "zod";
import { ruleSchema } from "@/lib/approval-rules/rule";
import { adminSignatureSchema } from "@/lib/engine/ledger/countersignable";
import { uuidSchema } from "@/lib/ids";
import { groupNameSchema } from "@/lib/people/approvers";

export const MOST_GROUP_MEMBERS = 200;

export const groupPeopleSchema = z.array(uuidSchema).max(MOST_GROUP_MEMBERS);

export const approverCommandSchema = z.discriminatedUnion("kind", [
  /** `was`: as on screen, against undoing concurrent changes; null: new. */
  z.strictObject({
    kind: z.literal("group_set"),
    group: groupNameSchema,
    was: groupPeopleSchema.nullable(),
    people: groupPeopleSchema,
    signed: adminSignatureSchema.exactOptional(),
  }),
  z.strictObject({ kind: z.literal("group_remove"), group: groupNameSchema }),
  z.strictObject({ kind: z.literal("rule_add"), rule: ruleSchema }),
  /** Asks a second admin. */
  z.strictObject({ kind: z.literal("rule_remove"), rule: uuidSchema, signed: adminSignatureSchema.exactOptional() }),
  z.strictObject({ kind: z.literal("rule_remove_confirm"), rule: uuidSchema, signed: adminSignatureSchema.exactOptional() }),
  z.strictObject({ kind: z.literal("rule_remove_decline"), rule: uuidSchema }),
  /** Times in ms since 1970. */
  z.strictObject({
    kind: z.literal("delegation_give"),
    delegation: uuidSchema,
    to: uuidSchema,
    starts_at: z.number().int().min(0),
    ends_at: z.number().int().min(0),
  }),
  z.strictObject({ kind: z.literal("delegation_revoke"), delegation: uuidSchema }),
]);
export type ApproverCommand = z.infer<typeof approverCommandSchema>;
