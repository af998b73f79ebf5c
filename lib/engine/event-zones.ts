/** Cases, promotions, openings and shreddings. */
import { z } from "zod";
import { pathSchema } from "@/lib/graph/path";
import { idSchema, uuidSchema } from "@/lib/ids";
import { caseOutcomeSchema, caseSchema, findingSchema, openingPurposeSchema, verdictSchema } from "@/lib/engine/approvals/case";
import { shredReasonSchema } from "@/lib/engine/ledger/shred-reason";

const seq = z.number().int().min(0);

/** The cell at `to` counts as reviewed; `from` is unchanged. */
export const promotedSchema = z.strictObject({
  type: z.literal("promoted"),
  approval_id: uuidSchema.nullable(),
  case_id: uuidSchema.nullable(),
  from: pathSchema,
  to: pathSchema,
});

export const caseOpenedSchema = z.strictObject({ type: z.literal("case_opened"), case: caseSchema });

export const verdictGivenSchema = z.strictObject({
  type: z.literal("verdict_given"),
  case_id: uuidSchema,
  reviewer: z.number().int().min(0).max(20),
  by: z.string().max(300),
  model: z.string().max(200).nullable(),
  verdict: verdictSchema,
  findings: z.array(findingSchema).max(100),
});

export const caseClosedSchema = z.strictObject({ type: z.literal("case_closed"), case_id: uuidSchema, outcome: caseOutcomeSchema });

/** `case_id` null: no case concerned exactly this. */
export const judgedSchema = z.strictObject({
  type: z.literal("judged"),
  node: idSchema,
  activation: seq,
  case_id: uuidSchema.nullable(),
  outcome: z.enum(["approved", "rejected"]),
  rules: z.array(z.strictObject({ field: idSchema, passed: z.boolean() })).max(200),
  reason: z.enum([
    "passed",
    "no_case",
    "quorum",
    "verdict_missing",
    "not_passed",
    "no_fields",
    "rule_missing",
    "rule_doubled",
    "rule_failed",
    "malformed",
  ]),
});

export const cellOpenedSchema = z.strictObject({
  type: z.literal("cell_opened"),
  path: z.string().max(1_200),
  seq,
  index: z.number().int().min(0),
  by: z.string().max(300),
  purpose: openingPurposeSchema,
  case_id: uuidSchema.nullable(),
});

/** Key, salt and content destroyed. */
export const cellsShreddedSchema = z.strictObject({
  type: z.literal("cells_shredded"),
  run: uuidSchema,
  reason: shredReasonSchema,
  cells: z
    .array(z.strictObject({ seq, index: z.number().int().min(0) }))
    .min(1)
    .max(1_000),
});
