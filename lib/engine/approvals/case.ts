/** A case: named reviewers, who do not see each other, and what each says about one subject. */
import { z } from "zod";
import { CHECKS } from "@/lib/graph/document";
import { hexDigestSchema } from "@/lib/hash";
import { idSchema, uuidSchema } from "@/lib/ids";
import { pathSchema } from "@/lib/graph/path";
import { deciderSchema } from "@/lib/roles";

/** Why somebody opens a sealed value. */
export const openingPurposeSchema = z.enum(["review", "audit"]);

const offset = z.number().int().min(0).max(16_777_216);

/** What a reviewer found: a declared code, and where in the target's text, in UTF-16 code units from `start` to before `end`. */
export const findingSchema = z.strictObject({ code: idSchema, start: offset.nullable(), end: offset.nullable() });
export type Finding = z.infer<typeof findingSchema>;

export const verdictSchema = z.enum(["approve", "reject", "abstain"]);
export type ReviewVerdict = z.infer<typeof verdictSchema>;

/** What a case is about: a value in memory, by the cells it comes from, or an effect as it would be asked for. */
export const subjectSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("cell"),
    path: pathSchema,
    cells: z.array(z.strictObject({ path: z.string().max(1_200), seq: offset, commitment: hexDigestSchema })).max(1_000),
  }),
  z.strictObject({ type: z.literal("effect"), transition_digest: hexDigestSchema }),
]);
export type Subject = z.infer<typeof subjectSchema>;

/** Who is asked: a model by its agent, for an effect under one check, or so many people of a role. */
const designatedSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("agent"), agent: idSchema, check: z.enum(CHECKS).nullable() }),
  z.strictObject({ type: z.literal("person"), role: deciderSchema, count: z.number().int().min(1).max(10) }),
]);
export type Designated = z.infer<typeof designatedSchema>;

export const caseSchema = z.strictObject({
  id: uuidSchema,
  node: idSchema,
  /** The visit to the node. */
  activation: z.number().int().min(0),
  subject: subjectSchema,
  reviewers: z.array(designatedSchema).max(20),
  quorum: z.number().int().min(0),
  /** Who made what is looked at, as `agent:<id>` and `user:<id>`: none of them reviews it. */
  producers: z.array(z.string().max(300)).max(1_000),
  opened_at: z.number().int().min(0),
  expires_at: z.number().int().min(0),
});
export type ReviewCase = z.infer<typeof caseSchema>;

export const caseOutcomeSchema = z.enum(["passed", "rejected", "expired", "void"]);
export type CaseOutcome = z.infer<typeof caseOutcomeSchema>;
