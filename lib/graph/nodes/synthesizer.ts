import { z } from "zod";
import { idSchema } from "@/lib/ids";
import { pathSchema } from "@/lib/graph/path";

/** Combines its reads by an agent or a fixed rule. */
export const synthesizerConfigSchema = z.strictObject({
  /** Absent: `merge` decides. */
  agent_id: idSchema.optional(),
  instructions: z.string().max(20_000).default(""),
  answer: z.enum(["text", "json"]).default("text"),
  /** In `read_keys` order; `list` joins lists. */
  merge: z.enum(["object", "list", "text"]).default("object"),
  /** Absent: the only write key. */
  write_to: pathSchema.optional(),
});
