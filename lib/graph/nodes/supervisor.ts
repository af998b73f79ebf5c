import { z } from "zod";
import { idSchema } from "@/lib/ids";

/** A model chooses which of the managed nodes works next, or that the work is done: then the edges decide. */
export const supervisorConfigSchema = z.strictObject({
  agent_id: idSchema,
  instructions: z.string().max(20_000).default(""),
  managed_nodes: z.array(idSchema).min(1).max(200),
  /** Choices of the whole run. Reaching it fails the node with `supervisor_limit`. */
  max_iterations: z.number().int().min(1).max(1_000).default(10),
});
