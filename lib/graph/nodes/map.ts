import { z } from "zod";
import { jsonSchema } from "@/lib/json";
import { idSchema } from "@/lib/ids";
import { pathSchema } from "@/lib/graph/path";

/** The worker node does its work once per item, with its own grants. Results keep the order of the items. */
export const mapConfigSchema = z.strictObject({
  /** An agent, tool or transform node that nothing else leads to. */
  worker_node: idSchema,
  items: z.union([z.strictObject({ from: pathSchema }), z.strictObject({ value: z.array(jsonSchema).max(1_000) })]),
  /** A longer list fails the node; nothing is left out in silence. */
  max_items: z.number().int().min(1).max(1_000).default(1_000),
  max_concurrency: z.number().int().min(1).max(50).default(5),
  /** `best_effort`: a failed item is `null` among the results. */
  error_strategy: z.enum(["fail_fast", "best_effort"]).default("best_effort"),
  /** Where the list of results goes. Absent: the only write key. */
  write_to: pathSchema.optional(),
  /** Where `[{index, code}]` of failed items goes. */
  errors_to: pathSchema.optional(),
  /** An agent that makes one answer of the results, which then is what is written. */
  synthesizer: z.strictObject({ agent_id: idSchema, instructions: z.string().max(20_000).default("") }).optional(),
});
