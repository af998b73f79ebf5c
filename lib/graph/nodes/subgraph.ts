import { z } from "zod";
import { hexDigestSchema } from "@/lib/hash";
import { idSchema } from "@/lib/ids";
import { MEMORY_KEY, pathSchema } from "@/lib/graph/path";

/** Another published graph as one step, with a memory of its own. Nothing crosses but what is declared here. */
export const subgraphConfigSchema = z.strictObject({
  /** The `id` of its document. */
  graph_id: idSchema,
  /** Absent in a draft: publishing fills in the newest version. */
  version: hexDigestSchema.optional(),
  /** Its memory key <- our path. */
  inputs: z.record(MEMORY_KEY, pathSchema).default({}),
  /** Our path <- its path. */
  outputs: z.record(pathSchema, pathSchema).default({}),
});
