import { z } from "zod";
import { idSchema } from "@/lib/ids";
import { pathSchema } from "@/lib/graph/path";
import { deciderSchema } from "@/lib/roles";

const DAY_MS = 86_400_000;

const reviewerSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("agent"), agent_id: idSchema }),
  z.strictObject({ type: z.literal("person"), role: deciderSchema.default("reviewer"), count: z.number().int().min(1).max(10).default(1) }),
]);
export type Reviewer = z.infer<typeof reviewerSchema>;

/** The codes of what a reviewer can find where a graph names none of its own. */
export const FINDINGS = ["instructions", "unsupported", "wrong", "sensitive", "malformed"] as const;

/** A case about one value: named reviewers, blind to each other, each give a verdict. They advise; a judge decides. */
export const reviewConfigSchema = z.strictObject({
  target: pathSchema,
  /** What the target was made of, shown beside it. */
  source: pathSchema.optional(),
  instructions: z.string().max(4_000).default(""),
  reviewers: z.array(reviewerSchema).max(10),
  /** Approvals that a judge will ask for, of people and models together. */
  quorum: z.number().int().min(1).max(20).default(1),
  findings: z
    .array(idSchema)
    .min(1)
    .max(50)
    .default([...FINDINGS]),
  timeout_ms: z
    .number()
    .int()
    .min(1_000)
    .max(30 * DAY_MS)
    .default(DAY_MS),
  /** Where a case that does not pass leads to be done again, and how often; after that a person decides. */
  rework: z.strictObject({ node: idSchema, limit: z.number().int().min(0).max(10).default(2) }).optional(),
});
