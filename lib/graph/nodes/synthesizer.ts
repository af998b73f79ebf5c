import { z } from "zod";
import { idSchema } from "@/lib/ids";
import { pathSchema } from "@/lib/graph/path";

/** Makes one value of what it may read: an agent does, or a fixed rule. */
export const synthesizerConfigSchema = z.strictObject({
  /** Absent: `merge` says how. */
  agent_id: idSchema.optional(),
  instructions: z.string().max(20_000).default(""),
  answer: z.enum(["text", "json"]).default("text"),
  /** `object`: one member per read path; `list`: lists are joined, other values appended; `text`: paragraphs. In the order of `read_keys`. */
  merge: z.enum(["object", "list", "text"]).default("object"),
  /** Where the result goes. Absent: the only write key. */
  write_to: pathSchema.optional(),
});
