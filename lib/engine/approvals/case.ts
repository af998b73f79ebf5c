/** Cases: independent reviewers give verdicts on one subject. */
import { z } from "zod";
import { CHECKS } from "@/lib/graph/document";
import { hexDigestSchema } from "@/lib/hash";
import { idSchema, uuidSchema } from "@/lib/ids";
import { pathSchema } from "@/lib/graph/path";
import { deciderSchema } from "@/lib/roles";

export const openingPurposeSchema = z.enum(["review", "audit", "file"]);

const offset = z.number().int().min(0).max(16_777_216);

export const findingSchema = z.strictObject({ code: idSchema, start: offset.nullable(), end: offset.nullable() });
export type Finding = z.infer<typeof findingSchema>;

export const verdictSchema = z.enum(["approve", "reject", "abstain"]);
export type ReviewVerdict = z.infer<typeof verdictSchema>;

export const subjectSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("cell"),
    path: pathSchema,
    cells: z.array(z.strictObject({ path: z.string().max(1_200), seq: offset, commitment: hexDigestSchema })).max(1_000),
  }),
  z.strictObject({ type: z.literal("effect"), transition_digest: hexDigestSchema }),
]);
export type Subject = z.infer<typeof subjectSchema>;

const designatedSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("agent"), agent: idSchema, check: z.enum(CHECKS).nullable() }),
  z.strictObject({ type: z.literal("person"), role: deciderSchema, count: z.number().int().min(1).max(10) }),
]);
export type Designated = z.infer<typeof designatedSchema>;

export const caseSchema = z.strictObject({
  id: uuidSchema,
  node: idSchema,
  activation: z.number().int().min(0),
  subject: subjectSchema,
  reviewers: z.array(designatedSchema).max(20),
  quorum: z.number().int().min(0),
  /** Authors as `agent:<id>` and `user:<id>`; none of them may review. */
  producers: z.array(z.string().max(300)).max(1_000),
  opened_at: z.number().int().min(0),
  expires_at: z.number().int().min(0),
});
export type ReviewCase = z.infer<typeof caseSchema>;

export const caseOutcomeSchema = z.enum(["passed", "rejected", "expired", "void"]);
export type CaseOutcome = z.infer<typeof caseOutcomeSchema>;
