import { z } from "zod";
import { idSchema } from "@/lib/ids";

/** `decide` checks paths, so illegal ones are refusals. */
const updates = z
  .array(z.strictObject({ path: z.string().min(1).max(1_100), value: z.unknown() }))
  .min(1)
  .max(200);

export const actionSchema = z.discriminatedUnion("type", [
  /** `decide` refuses values that are not plain JSON. */
  z.strictObject({ type: z.literal("update_memory"), updates }),
  z.strictObject({ type: z.literal("set_status"), status: z.string().max(40) }),
  z.strictObject({ type: z.literal("goto_node"), node: idSchema, reason: z.string().max(4_000).optional() }),
  z.strictObject({ type: z.literal("handoff"), node: idSchema, reason: z.string().max(4_000).optional() }),
  z.strictObject({ type: z.literal("request_human_input"), prompt: z.string().max(2_000) }),
  z.strictObject({ type: z.literal("resume_from_human"), approval_id: z.string().max(64), transition_digest: z.string().max(128) }),
  z.strictObject({ type: z.literal("merge_parallel_results"), updates }),
  /** In ms since 1970; null: as the node says. */
  z.strictObject({ type: z.literal("wait"), until: z.number().int().nullable() }),
]);
export type Action = z.infer<typeof actionSchema>;
export const ACTION_TYPES = actionSchema.options.map((option) => option.shape.type.value);
