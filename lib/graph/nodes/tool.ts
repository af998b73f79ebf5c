import { z } from "zod";
import { jsonSchema } from "@/lib/json";
import { idSchema } from "@/lib/ids";
import { toolNameSchema } from "@/lib/graph/tool-ref";
import { pathSchema } from "@/lib/graph/path";

/** Declared read, fixed value, or a map's item. */
const argumentSchema = z.union([
  z.strictObject({ from: pathSchema }),
  z.strictObject({ value: jsonSchema }),
  z.strictObject({ item: z.union([z.literal(""), pathSchema]) }),
]);

/** Calls one granted MCP tool. */
export const toolConfigSchema = z.strictObject({
  server: idSchema,
  tool: toolNameSchema,
  arguments: z.record(z.string().min(1).max(128), argumentSchema).default({}),
  /** Absent: the only write key. */
  write_to: pathSchema.optional(),
});
