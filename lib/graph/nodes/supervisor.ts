import { z } from "zod";
import { idSchema } from "@/lib/ids";

/** A model chooses managed nodes until done; then edges decide. */
export const supervisorConfigSchema = z.strictObject({
  agent_id: idSchema,
  instructions: z.string().max(20_000).default(""),
  managed_nodes: z.array(idSchema).min(1).max(200),
  /** Per run; reaching it fails with `supervisor_limit`. */
  max_iterations: z.number().int().min(1).max(1_000).default(10),
});
