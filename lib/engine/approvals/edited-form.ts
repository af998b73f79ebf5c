import { z } from "zod";
import { jsonSchema } from "@/lib/json";

/** Complete arguments or writes. Validated by `decide`. */
export const editedSchema = z.union([
  z.strictObject({ arguments: jsonSchema }),
  z.strictObject({
    updates: z
      .array(z.strictObject({ path: z.string().max(1_200), value: jsonSchema }))
      .min(1)
      .max(200),
  }),
]);
export type Edited = z.infer<typeof editedSchema>;
