import { z } from "zod";
import { expressionSchema } from "@/lib/graph/expression";
import { pathSchema } from "@/lib/graph/path";

/** CEL over declared reads, one expression per declared path. */
export const transformConfigSchema = z.strictObject({
  set: z
    .array(z.strictObject({ path: pathSchema, value: expressionSchema }))
    .min(1)
    .max(100),
});
