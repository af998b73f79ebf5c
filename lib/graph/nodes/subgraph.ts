import { z } from "zod";
import { hexDigestSchema } from "@/lib/hash";
import { idSchema } from "@/lib/ids";
import { MEMORY_KEY, pathSchema } from "@/lib/graph/path";

/** Published graph with its own memory; only declared values cross. */
export const subgraphConfigSchema = z.strictObject({
  graph_id: idSchema,
  /** Absent: publishing fills in the newest version. */
  version: hexDigestSchema.optional(),
  /** Its memory key <- our path. */
  inputs: z.record(MEMORY_KEY, pathSchema).default({}),
  /** Our path <- its path. */
  outputs: z.record(pathSchema, pathSchema).default({}),
});
