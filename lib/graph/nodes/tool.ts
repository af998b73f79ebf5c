import { z } from "zod";
import { jsonSchema } from "@/lib/json";
import { idSchema } from "@/lib/ids";
import { toolNameSchema } from "@/lib/graph/tool-ref";
import { pathSchema } from "@/lib/graph/path";

/** One granted MCP tool. Arguments come from declared reads (`from`) or are fixed in the graph (`value`). */
export const toolConfigSchema = z.strictObject({
  server: idSchema,
  tool: toolNameSchema,
  arguments: z
    .record(z.string().min(1).max(128), z.union([z.strictObject({ from: pathSchema }), z.strictObject({ value: jsonSchema })]))
    .default({}),
  /** Where the result goes. Absent: the only write key. */
  write_to: pathSchema.optional(),
});
