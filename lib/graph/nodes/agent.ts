import { z } from "zod";
import { idSchema } from "@/lib/ids";
import { pathSchema } from "@/lib/graph/path";

/** A model with tools. Its text goes to `write_to` (or the node's only write key); more keys through `save_to_memory`. */
export const agentConfigSchema = z.strictObject({
  agent_id: idSchema,
  /** What this node asks of the agent, in addition to the agent's own system prompt. */
  instructions: z.string().max(20_000).default(""),
  /** Where the agent's final answer goes. Absent: the only write key. */
  write_to: pathSchema.optional(),
  /** `json`: the answer is parsed as JSON before it is proposed. */
  answer: z.enum(["text", "json"]).default("text"),
});
