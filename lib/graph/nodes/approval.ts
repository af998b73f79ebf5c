import { z } from "zod";
import { idSchema } from "@/lib/ids";
import { pathSchema } from "@/lib/graph/path";
import { deciderSchema } from "@/lib/roles";

const DAY_MS = 86_400_000;

/** A person decides before the run goes on. */
export const approvalConfigSchema = z.strictObject({
  prompt: z.string().min(1).max(2_000),
  /** What the reviewer is shown, besides the effect. */
  review_keys: z.array(pathSchema).max(100).default([]),
  /** The node whose effect this gate approves: its exact arguments become part of the approved transition. */
  for_node: idSchema.optional(),
  role: deciderSchema.default("reviewer"),
  quorum: z.number().int().min(1).max(10).default(1),
  timeout_ms: z
    .number()
    .int()
    .min(1_000)
    .max(30 * DAY_MS)
    .default(DAY_MS),
  /** What the approval raises to `reviewed`: the value at `from`, as it was shown, is written to `to` as a new cell. */
  promote: z
    .array(z.strictObject({ from: pathSchema, to: pathSchema }))
    .max(50)
    .default([]),
  /** An approval has to be signed with a passkey. */
  passkey: z.literal(true).optional(),
  /** Where a rejection or an expiry leads. Absent: the run is cancelled. */
  rejection_node: idSchema.optional(),
  /** Where the run goes on, with a reviewer's note, when changes are asked for. Absent: nobody can ask for them here. */
  changes_node: idSchema.optional(),
});
