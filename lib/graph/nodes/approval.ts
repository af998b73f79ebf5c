import { z } from "zod";
import { idSchema } from "@/lib/ids";
import { pathSchema } from "@/lib/graph/path";
import { deciderSchema } from "@/lib/roles";

const DAY_MS = 86_400_000;

/** Pauses the run for a person's decision. */
export const approvalConfigSchema = z.strictObject({
  prompt: z.string().min(1).max(2_000),
  /** Paths shown besides the effect. */
  review_keys: z.array(pathSchema).max(100).default([]),
  /** Its exact arguments are part of the approval. */
  for_node: idSchema.optional(),
  role: deciderSchema.default("reviewer"),
  quorum: z.number().int().min(1).max(10).default(1),
  timeout_ms: z
    .number()
    .int()
    .min(1_000)
    .max(30 * DAY_MS)
    .default(DAY_MS),
  /** Copies `from`, as shown, to `to` as `reviewed`. */
  promote: z
    .array(z.strictObject({ from: pathSchema, to: pathSchema }))
    .max(50)
    .default([]),
  passkey: z.literal(true).optional(),
  /** Also on expiry. Absent: cancels the run. */
  rejection_node: idSchema.optional(),
  /** Absent: changes cannot be requested. */
  changes_node: idSchema.optional(),
});
